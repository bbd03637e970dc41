import type { LoginRow } from '@capstan/protocol'
import { LogOut, MonitorSmartphone } from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useApi, useSocket } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { useReason } from '../socket/use-reason.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/surfaces/card.tsx'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { Time } from '../ui/text/time.tsx'
import { useToast } from '../ui/overlays/toast.tsx'

/** The browsers that are logged in as this user, each with a button that logs it out. */
export function LoginsSection(): ReactElement {
  const t = useT()
  const api = useApi()
  const socket = useSocket()
  const toast = useToast()
  const reason = useReason()
  const { data, error, reload } = useLoaded('logins', (signal) => api.logins({ signal }))
  const logins = data?.logins ?? []
  const nameOf = ({ device }: LoginRow): string => device || t('people.logins.unknown')

  async function end(work: () => Promise<unknown>, done: string): Promise<void> {
    try {
      await work()
      toast({ text: done })
      reload()
    } catch (refusal) {
      toast({ text: reason(refusal), tone: 'fail' })
    }
  }

  async function endOne(login: LoginRow): Promise<void> {
    await end(() => api.revokeLogin(login.id), t('people.logins.ended', { device: nameOf(login) }))
    if (login.isThis) socket.reportSignedOut()
  }

  return (
    <Card title={t('people.logins.title')} description={t('people.logins.description')}>
      {!data && !error && <Skeleton lines={2} />}
      {error && (
        <div className="settings-failed" role="alert">
          <p>{reason(error)}</p>
          <Button size="sm" onClick={reload}>
            {t('ui.retry')}
          </Button>
        </div>
      )}
      <ul role="list" className="settings-rows">
        {logins.map((login) => (
          <li key={login.id} className="settings-row">
            <MonitorSmartphone size={16} aria-hidden="true" />
            <div className="settings-row-name">
              <p>
                <bdi>{nameOf(login)}</bdi>{' '}
                {login.isThis && <Badge tone="accent">{t('people.logins.thisOne')}</Badge>}
              </p>
              <p className="settings-small">
                {t('people.logins.lastUse')} <Time at={login.usedAt} /> · {t('people.logins.firstUse')}{' '}
                <Time at={login.createdAt} form="date" />
              </p>
            </div>
            <IconButton
              label={t('people.logins.end', { device: nameOf(login) })}
              size="sm"
              onClick={() => void endOne(login)}
            >
              <LogOut aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ul>
      {logins.length > 1 && (
        <div className="settings-actions">
          <Button
            icon={<LogOut aria-hidden="true" />}
            onClick={() => void end(() => api.revokeOtherLogins(), t('people.logins.othersEnded'))}
          >
            {t('people.logins.endOthers')}
          </Button>
        </div>
      )}
    </Card>
  )
}
