import { X } from 'lucide-react'
import type { ReactElement } from 'react'
import type { GrantView } from '@capstan/protocol'
import { destinationsIn } from '../approvals/approval-buttons.tsx'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { useApi, useServerEvent } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { useReason } from '../socket/use-reason.ts'
import { toName } from '@capstan/client'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/surfaces/card.tsx'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { useToast } from '../ui/overlays/toast.tsx'

export function AllowedSection(): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const reason = useReason()
  const { data, error, reload, setData } = useLoaded('grants', (signal) => api.grants({ signal }))
  // A conversation may have added a grant in the meantime.
  useServerEvent('approval-change', ({ decision }) => {
    if (decision !== undefined && decision !== 'deny' && decision !== 'expired' && decision !== 'withdrawn')
      reload()
  })

  async function revoke({ id, tool }: GrantView): Promise<void> {
    try {
      await api.revokeGrant(id)
      if (data) setData({ grants: data.grants.filter((other) => other.id !== id) })
      toast({ text: t('settings.allowed.removed', { tool }) })
    } catch (refusal) {
      toast({ text: reason(refusal), tone: 'fail' })
    }
  }

  return (
    <Card title={t('settings.allowed.title')} description={t('settings.allowed.description')}>
      {data === undefined && !error && <Skeleton lines={2} />}
      {error && (
        <div className="settings-failed" role="alert">
          <p>{t('settings.allowed.failed', { reason: reason(error) })}</p>
          <Button size="sm" onClick={reload}>
            {t('ui.retry')}
          </Button>
        </div>
      )}
      {data?.grants.length === 0 && <p className="settings-empty">{t('settings.allowed.empty')}</p>}
      {data !== undefined && data.grants.length > 0 && (
        <ul role="list" className="settings-rows">
          {data.grants.map((grant) => (
            <GrantRow key={grant.id} grant={grant} onRevoke={() => void revoke(grant)} />
          ))}
        </ul>
      )}
    </Card>
  )
}

/** A grant in words: what, where to, until when, and where it was given. */
function GrantRow({
  grant,
  onRevoke,
}: {
  readonly grant: GrantView
  readonly onRevoke: () => void
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  const { tool, binding, constraints, lifetime, createdAt, expiresAt, threadTitle } = grant
  const where = binding.app?.name ?? t('approvals.this-computer')
  const time = format.dateTime(createdAt)
  const facts = [
    constraints
      ? t('approvals.limit.only', { destinations: destinationsIn(constraints) })
      : t('approvals.limit.any'),
    expiresAt === undefined
      ? t(lifetime === 'thread' ? 'settings.allowed.thread' : 'settings.allowed.always')
      : t('settings.allowed.until', { time: format.dateTime(expiresAt) }),
    threadTitle
      ? t('settings.allowed.given', { time, title: threadTitle })
      : t('settings.allowed.given-gone', { time }),
  ]
  return (
    <li className="settings-row">
      <div className="settings-row-name">
        <p>
          <span dir="auto">{where}</span> · {toName(tool)} <code>{tool}</code>
        </p>
        <ul role="list" className="settings-grant-facts">
          {facts.map((fact) => (
            <li key={fact} dir="auto">
              {fact}
            </li>
          ))}
        </ul>
      </div>
      <IconButton label={t('settings.allowed.remove', { tool })} size="sm" onClick={onRevoke}>
        <X aria-hidden="true" />
      </IconButton>
    </li>
  )
}
