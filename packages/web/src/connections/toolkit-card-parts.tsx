import type { McpServerRow, ToolkitView } from '@capstan/protocol'
import { CircleCheck, CircleDashed, CircleX, Clock, Hourglass, Plug, Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { Button } from '../ui/controls/button.tsx'
import type { ToolkitState } from './toolkit-state.ts'

const BADGES = {
  connected: { tone: 'ok', Icon: CircleCheck },
  'signing-in': { tone: 'info', Icon: Hourglass },
  expired: { tone: 'warn', Icon: Clock },
  failed: { tone: 'fail', Icon: CircleX },
  'not-connected': { tone: 'neutral', Icon: CircleDashed },
  'no-sign-in': { tone: 'ok', Icon: CircleCheck },
} as const satisfies Record<ToolkitState, unknown>

/** The name of an app and its state. Takes the focus when the app is new. */
export function CardHead({
  id,
  toolkit,
  state,
  isNew,
  canConnect,
  isOpening,
  isOffline,
  onConnect,
}: {
  readonly id: string
  readonly toolkit: ToolkitView
  readonly state: ToolkitState
  readonly isNew: boolean
  readonly canConnect: boolean
  readonly isOpening: boolean
  readonly isOffline: boolean
  readonly onConnect: () => void
}): ReactElement {
  const t = useT()
  const heading = useRef<HTMLHeadingElement>(null)
  const { tone, Icon } = BADGES[state]
  useEffect(() => {
    if (isNew) heading.current?.focus()
  }, [isNew])
  return (
    <header className="connections-card-head">
      <span className="connections-tile" aria-hidden="true">
        {firstLetter(toolkit.name)}
      </span>
      <div className="connections-card-title">
        <h2 id={id} ref={heading} tabIndex={-1}>
          <bdi>{toolkit.name}</bdi>
        </h2>
        <p className="connections-badges">
          <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
            {t(`connections.states.${state}`)}
          </Badge>
          {toolkit.isOwn && <Badge>{t('connections.addedByYou')}</Badge>}
        </p>
      </div>
      {canConnect && (
        <Button
          variant={state === 'not-connected' ? 'strong' : 'plain'}
          size="sm"
          icon={<Plug aria-hidden="true" />}
          busy={isOpening}
          disabled={isOffline}
          aria-label={t('connections.connectApp', { name: toolkit.name })}
          onClick={onConnect}
        >
          {t('connections.connect')}
        </Button>
      )}
    </header>
  )
}

/** Adds another account, or removes a server that the person added. */
export function CardFoot({
  canAddAccount,
  canRemove,
  isOffline,
  isOpening,
  onAddAccount,
  onRemove,
}: {
  readonly canAddAccount: boolean
  readonly canRemove: boolean
  readonly isOffline: boolean
  readonly isOpening: boolean
  readonly onAddAccount: () => void
  readonly onRemove: () => void
}): ReactElement | null {
  const t = useT()
  if (!canAddAccount && !canRemove) return null
  return (
    <footer className="connections-card-foot">
      {canAddAccount && (
        <Button
          variant="quiet"
          size="sm"
          icon={<Plus aria-hidden="true" />}
          busy={isOpening}
          disabled={isOffline}
          onClick={onAddAccount}
        >
          {t('connections.connectAnother')}
        </Button>
      )}
      {canRemove && (
        <Button
          variant="quiet"
          size="sm"
          icon={<Trash2 aria-hidden="true" />}
          disabled={isOffline}
          onClick={onRemove}
        >
          {t('connections.remove.action')}
        </Button>
      )}
    </footer>
  )
}

/** Where a server that the person added is reached. */
export function ServerLine({ server: { transport } }: { readonly server: McpServerRow }): ReactElement {
  const t = useT()
  const isUrl = transport.type === 'http'
  return (
    <p className="connections-server">
      <span>{isUrl ? t('connections.server.address') : t('connections.server.command')}</span>
      <code>{isUrl ? transport.url : [transport.command, ...transport.args].join(' ')}</code>
    </p>
  )
}

const firstLetter = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toLocaleUpperCase() ?? '·'
