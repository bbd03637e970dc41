import { BellRing, CheckCheck } from 'lucide-react'
import type { ReactElement } from 'react'
import { isolate } from '../approvals/approval-buttons.tsx'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { useRouter } from '../routing/router.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import type { WaitingItem } from './find-waiting.ts'
import type { Waiting } from './use-waiting.ts'

/** What waits for the person, and what they are told, from every page. Not drawn when there is nothing. */
export function WaitingMenu({
  waiting: { items, see },
  onGo,
}: {
  readonly waiting: Waiting
  readonly onGo?: (() => void) | undefined
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  const { navigate } = useRouter()
  const toldIds = (items ?? []).flatMap(({ notificationId }) => notificationId ?? [])
  return (
    <div role="status" className="shell-waiting">
      {items && items.length > 0 && (
        <Menu
          align="start"
          trigger={
            <button type="button" className="shell-page-link">
              <BellRing aria-hidden="true" />
              {t('shell.waiting')} <Badge tone="accent">{format.number(items.length)}</Badge>
            </button>
          }
          items={[
            ...items.map(({ kind, name, path, notificationId }) => ({
              label: t(`shell.notifications.${kind}`, { name: isolate(name) }),
              onSelect: () => {
                if (notificationId !== undefined) see([notificationId])
                navigate(path)
                onGo?.()
              },
            })),
            ...(items.some(isTold)
              ? [
                  {
                    label: t('shell.notifications.seen'),
                    icon: <CheckCheck aria-hidden="true" />,
                    onSelect: () => see(toldIds),
                  },
                ]
              : []),
          ]}
        />
      )}
    </div>
  )
}

/** It waits for nothing: it is gone when it was seen. */
const isTold = ({ kind }: WaitingItem): boolean => kind === 'scheduleFailed' || kind === 'triggerEscalated'
