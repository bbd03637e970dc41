import type { ConnectionRow, ConnectionStatus } from '@capstan/protocol'
import { CircleCheck, CircleX, Clock, Ellipsis, Hourglass, Star, Unplug } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useConnectionReason } from '../i18n/use-connection-reason.ts'
import { useT } from '../i18n/use-t.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { Button } from '../ui/controls/button.tsx'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { Menu } from '../ui/overlays/menu.tsx'

const MARKS = {
  active: CircleCheck,
  pending: Hourglass,
  expired: Clock,
  revoked: Clock,
  failed: CircleX,
  disconnected: Unplug,
} as const satisfies Record<ConnectionStatus, unknown>

export interface AccountRowProps {
  readonly account: ConnectionRow
  readonly isOffline: boolean
  /** The app has more than one account, so one of them is the default. */
  readonly hasOthers: boolean
  readonly isBusy: boolean
  readonly onSignIn: () => void
  readonly onDisconnect: () => void
  readonly onMakeDefault: () => void
  /** More about the account, below it. */
  readonly children?: ReactNode
}

/** One account of an app: its name, its status with time and reason, and its actions. */
export function AccountRow({
  account,
  isOffline,
  hasOthers,
  isBusy,
  onSignIn,
  onDisconnect,
  onMakeDefault,
  children,
}: AccountRowProps): ReactElement {
  const t = useT()
  const { status, isDefault } = account
  const reason = useConnectionReason()(account)
  const label = useAccountName()(account)
  const Mark = MARKS[status]
  const isActive = status === 'active'
  return (
    <li className="connections-account">
      <Mark className="connections-mark" data-status={status} size={18} aria-hidden="true" />
      <div className="connections-account-text">
        <p className="connections-account-name">
          <bdi>{label}</bdi>
          {isDefault && hasOthers && (
            <span title={t('connections.defaultHint')}>
              <Badge tone="accent">{t('connections.default')}</Badge>
            </span>
          )}
        </p>
        <p className="connections-soft">
          <Since account={account} />
        </p>
        {!isActive && reason !== undefined && (
          <p className="connections-reason">
            <bdi>{reason}</bdi>
          </p>
        )}
      </div>
      <div className="connections-account-actions">
        {!isActive && (
          <Button size="sm" busy={isBusy} disabled={isOffline} onClick={onSignIn}>
            {status === 'failed' ? t('connections.tryAgain') : t('connections.reconnect')}
          </Button>
        )}
        <Menu
          trigger={
            <IconButton
              label={t('connections.accountMenu', { account: label })}
              size="sm"
              disabled={isOffline}
            >
              <Ellipsis aria-hidden="true" />
            </IconButton>
          }
          items={[
            ...(hasOthers && isActive && !isDefault
              ? [
                  {
                    label: t('connections.makeDefault'),
                    icon: <Star aria-hidden="true" />,
                    onSelect: onMakeDefault,
                  },
                ]
              : []),
            {
              label: status === 'pending' ? t('connections.giveUp') : t('connections.disconnect'),
              icon: <Unplug aria-hidden="true" />,
              danger: true,
              onSelect: onDisconnect,
            },
          ]}
        />
      </div>
      {children}
    </li>
  )
}

function Since({ account: { status, updatedAt } }: { readonly account: ConnectionRow }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const when = format.relative(updatedAt)
  const time = { dateTime: new Date(updatedAt).toISOString(), title: format.dateTime(updatedAt) }
  if (status === 'active') return <time {...time}>{t('connections.connectedAt', { when })}</time>
  if (status === 'pending') return <time {...time}>{t('connections.waitingSince', { when })}</time>
  return (
    <>
      {t(`connections.status.${status}`)} · <time {...time}>{when}</time>
    </>
  )
}

/** The name of an account: its label, or "Account" until the service has given one. */
export function useAccountName(): (account: ConnectionRow) => string {
  const t = useT()
  return ({ label }) => (label.trim() === '' ? t('connections.unnamedAccount') : label)
}
