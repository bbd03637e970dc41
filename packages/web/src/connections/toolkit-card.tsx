import type { ConnectionRow, McpServerRow, ScopeSettings, ToolkitView } from '@capstan/protocol'
import { CircleCheck, CircleDashed, CircleX, Clock, Hourglass, Plug, Plus, Trash2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { SignInState } from '../approvals/sign-in-state.tsx'
import { useSignIn } from '../approvals/use-sign-in.ts'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Disclosure } from '../ui/surfaces/disclosure.tsx'
import { useToast } from '../ui/overlays/toast.tsx'
import { AccountRow, useAccountName } from './account-row.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { ScopeSwitches } from './scope-switches.tsx'
import type { ToolkitState } from './toolkit-state.ts'
import { accountsOf, toToolkitState } from './toolkit-state.ts'

const BADGES = {
  connected: { tone: 'ok', Icon: CircleCheck },
  'signing-in': { tone: 'info', Icon: Hourglass },
  expired: { tone: 'warn', Icon: Clock },
  failed: { tone: 'fail', Icon: CircleX },
  'not-connected': { tone: 'neutral', Icon: CircleDashed },
  'no-sign-in': { tone: 'ok', Icon: CircleCheck },
} as const satisfies Record<ToolkitState, unknown>

export interface ToolkitCardProps {
  readonly toolkit: ToolkitView
  /** Where a server of the user's own is, once that is known. */
  readonly server: McpServerRow | undefined
  readonly isOffline: boolean
  /** It was added just now: the focus goes to it. */
  readonly isNew: boolean
  readonly onScopes: (scopes: ScopeSettings) => Promise<void>
  /** Something was changed that no event tells. */
  readonly onChange: () => void
}

/** One app: how it stands, its accounts, what is allowed there. */
export function ToolkitCard(props: ToolkitCardProps): ReactElement {
  const { toolkit, server, isOffline, isNew, onScopes, onChange } = props
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const toReason = useReason()
  const toAccountName = useAccountName()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const flow = useSignIn({ toolkit: toolkit.slug, auth: toolkit.auth })
  const [leaving, setLeaving] = useState<ConnectionRow>()
  const [isRemoving, setRemoving] = useState(false)

  useEffect(() => {
    if (isNew) heading.current?.focus()
  }, [isNew])

  const { name } = toolkit
  const state = toToolkitState(toolkit)
  const accounts = accountsOf(toolkit)
  const { tone, Icon } = BADGES[state]
  const isOpening = flow.signIn.type === 'opening'
  // What became of it is told by the account itself; only what the account cannot tell is said here.
  const isToldByAccount =
    flow.signIn.type === 'declined' ||
    (flow.signIn.type === 'failed' && flow.signIn.problem === undefined && flow.connectionId !== undefined)

  async function makeDefault(account: ConnectionRow): Promise<void> {
    try {
      await api.makeDefault(account.id)
      onChange()
    } catch (error) {
      toast({ text: toReason(error), tone: 'fail' })
    }
  }

  async function disconnect(account: ConnectionRow): Promise<void> {
    await api.disconnect(account.id)
    if (account.id === flow.connectionId) flow.forget()
    toast({ text: t('connections.disconnected', { account: toAccountName(account) }) })
    onChange()
  }

  async function remove(): Promise<void> {
    await api.removeMcpServer(toolkit.slug)
    toast({ text: t('connections.remove.done', { name }) })
    onChange()
  }

  return (
    <article className="connections-card" data-state={state} aria-labelledby={id}>
      <header className="connections-card-head">
        <span className="connections-tile" aria-hidden="true">
          {firstLetter(name)}
        </span>
        <div className="connections-card-title">
          <h2 id={id} ref={heading} tabIndex={-1}>
            <bdi>{name}</bdi>
          </h2>
          <p className="connections-badges">
            <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
              {t(`connections.states.${state}`)}
            </Badge>
            {toolkit.isOwn && <Badge>{t('connections.addedByYou')}</Badge>}
          </p>
        </div>
        {toolkit.auth !== 'none' && accounts.length === 0 && (
          <Button
            variant={state === 'not-connected' ? 'strong' : 'plain'}
            size="sm"
            icon={<Plug aria-hidden="true" />}
            busy={isOpening}
            disabled={isOffline}
            aria-label={t('connections.connectApp', { name })}
            onClick={() => flow.start()}
          >
            {t('connections.connect')}
          </Button>
        )}
      </header>
      {toolkit.description !== '' && (
        <p className="connections-description">
          <bdi>{toolkit.description}</bdi>
        </p>
      )}
      {server && <ServerLine server={server} />}
      {accounts.length > 0 && (
        <ul role="list" className="connections-accounts" aria-label={t('connections.accountsOf', { name })}>
          {accounts.map((account) => (
            <AccountRow
              key={account.id}
              account={account}
              isOffline={isOffline}
              hasOthers={accounts.length > 1}
              isBusy={isOpening && flow.connectionId === account.id}
              onSignIn={() => flow.start(account.id)}
              onMakeDefault={() => void makeDefault(account)}
              onDisconnect={() => setLeaving(account)}
            />
          ))}
        </ul>
      )}
      {!isToldByAccount && (
        <SignInState
          signIn={flow.signIn}
          name={name}
          onStart={() => flow.start(flow.connectionId)}
          onKey={flow.giveKey}
        />
      )}
      {state !== 'not-connected' && (
        <Disclosure summary={t('connections.scopes.title')}>
          <ScopeSwitches toolkit={toolkit} isOffline={isOffline} onChange={onScopes} />
        </Disclosure>
      )}
      {((toolkit.auth !== 'none' && accounts.length > 0) || toolkit.isOwn) && (
        <footer className="connections-card-foot">
          {toolkit.auth !== 'none' && accounts.length > 0 && (
            <Button
              variant="quiet"
              size="sm"
              icon={<Plus aria-hidden="true" />}
              busy={isOpening && flow.connectionId === undefined}
              disabled={isOffline}
              onClick={() => flow.start()}
            >
              {t('connections.connectAnother')}
            </Button>
          )}
          {toolkit.isOwn && (
            <Button
              variant="quiet"
              size="sm"
              icon={<Trash2 aria-hidden="true" />}
              disabled={isOffline}
              onClick={() => setRemoving(true)}
            >
              {t('connections.remove.action')}
            </Button>
          )}
        </footer>
      )}
      {leaving && (
        <AskDialog
          title={t('connections.disconnectAsk.title', { account: toAccountName(leaving) })}
          confirm={t('connections.disconnectAsk.confirm')}
          onConfirm={() => disconnect(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          {t('connections.disconnectAsk.text', { name })}
        </AskDialog>
      )}
      {isRemoving && (
        <AskDialog
          title={t('connections.remove.title', { name })}
          confirm={t('connections.remove.confirm')}
          onConfirm={remove}
          onClose={() => setRemoving(false)}
        >
          {t('connections.remove.text')}
        </AskDialog>
      )}
    </article>
  )
}

function ServerLine({ server: { transport } }: { readonly server: McpServerRow }): ReactElement {
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
