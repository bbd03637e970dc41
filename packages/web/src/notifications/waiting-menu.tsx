import { BellRing } from 'lucide-react'
import type { ReactElement } from 'react'
import { isolate } from '../approvals/approval-buttons.tsx'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { useRouter } from '../routing/router.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import type { WaitingItem } from './find-waiting.ts'

/** What waits for the person, from every page. Not drawn when nothing does. */
export function WaitingMenu({
  items,
  onGo,
}: {
  readonly items: readonly WaitingItem[] | undefined
  readonly onGo?: (() => void) | undefined
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  const { navigate } = useRouter()
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
          items={items.map(({ kind, name, path }) => ({
            label: t(`shell.notifications.${kind}`, { name: isolate(name) }),
            onSelect: () => {
              navigate(path)
              onGo?.()
            },
          }))}
        />
      )}
    </div>
  )
}
