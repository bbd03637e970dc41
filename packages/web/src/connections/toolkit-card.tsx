import type { ConnectionRow, McpServerRow, ScopeSettings, ToolkitView } from '@capstan/protocol'
import { useId, useState } from 'react'
import type { ReactElement } from 'react'
import { SignInState } from '../approvals/sign-in-state.tsx'
import { useSignIn } from '../approvals/use-sign-in.ts'
import { useT } from '../i18n/use-t.ts'
import { Switch } from '../ui/controls/switch.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { Disclosure } from '../ui/surfaces/disclosure.tsx'
import { ActionList } from './action-list.tsx'
import { AccountRow } from './account-row.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { ProfileEditor } from './profile/profile-editor.tsx'
import { ScopeSwitches } from './scope-switches.tsx'
import { SyncPart } from './sync/sync-part.tsx'
import type { Syncs } from './sync/use-syncs.ts'
import { CardFoot, CardHead, ServerLine } from './toolkit-card-parts.tsx'
import { accountsOf, toToolkitState } from './toolkit-state.ts'
import { useToolkitActions } from './use-toolkit-actions.ts'

export interface ToolkitCardProps {
  readonly toolkit: ToolkitView
  /** The server that the user added for this app, once it is known. */
  readonly server: McpServerRow | undefined
  /** Something of the added server changed. */
  readonly onServerChange: () => void
  readonly syncs: Syncs
  readonly isOffline: boolean
  /** It was added just now: the focus goes to it. */
  readonly isNew: boolean
  readonly onScopes: (scopes: ScopeSettings) => Promise<void>
  /** Something changed that no server event reports. */
  readonly onChange: () => void
}

/** One app: its state, its accounts and what is allowed there. */
export function ToolkitCard(props: ToolkitCardProps): ReactElement {
  const { toolkit, server, onServerChange, syncs, isOffline, isNew, onScopes, onChange } = props
  const t = useT()
  const id = useId()
  const flow = useSignIn({ toolkit: toolkit.slug, auth: toolkit.auth })
  const [leaving, setLeaving] = useState<ConnectionRow>()
  const [isRemoving, setRemoving] = useState(false)
  const actions = useToolkitActions(toolkit, {
    onChange,
    onDisconnected: ({ id: gone }) => gone === flow.connectionId && flow.forget(),
  })

  const { name } = toolkit
  const state = toToolkitState(toolkit)
  const accounts = accountsOf(toolkit)
  const isOpening = flow.signIn.type === 'opening'
  // The row of the account shows how its sign-in ended; here only what no row can show.
  const isShownByAccount =
    flow.signIn.type === 'declined' ||
    (flow.signIn.type === 'failed' && flow.signIn.problem === undefined && flow.connectionId !== undefined)

  return (
    <article className="connections-card" data-state={state} aria-labelledby={id}>
      <CardHead
        id={id}
        toolkit={toolkit}
        state={state}
        isNew={isNew}
        canConnect={toolkit.auth !== 'none' && accounts.length === 0}
        isOpening={isOpening}
        isOffline={isOffline}
        onConnect={() => flow.start()}
      />
      {toolkit.description !== '' && (
        <p className="connections-description">
          <bdi>{toolkit.description}</bdi>
        </p>
      )}
      {server && <ServerLine server={server} />}
      {toolkit.isOwn && (
        <Switch
          label={t('people.share.server')}
          hint={t('people.share.serverHint')}
          checked={toolkit.shared ?? false}
          disabled={isOffline}
          onCheckedChange={(shared) => void actions.share(shared)}
        />
      )}
      {server?.sandbox && (
        <Disclosure
          summary={t('connections.profile.title')}
          aside={server.isConfined === false && <Badge tone="warn">{t('connections.profile.badge')}</Badge>}
        >
          <ProfileEditor server={server} profile={server.sandbox} isOffline={isOffline} />
        </Disclosure>
      )}
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
              onMakeDefault={() => void actions.makeDefault(account)}
              onDisconnect={() => setLeaving(account)}
            >
              <SyncPart
                account={account}
                syncs={syncs}
                server={server}
                onServerChange={onServerChange}
                isOffline={isOffline}
                onAllowReading={() => onScopes({ ...toolkit.scopes, read: true })}
              />
            </AccountRow>
          ))}
        </ul>
      )}
      {!isShownByAccount && (
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
      {toolkit.connections.some(({ status }) => status === 'active') && (
        <Disclosure summary={t('connections.actions.title')}>
          <ActionList toolkit={toolkit} isOffline={isOffline} onChange={onChange} />
        </Disclosure>
      )}
      <CardFoot
        canAddAccount={toolkit.auth !== 'none' && accounts.length > 0}
        canRemove={toolkit.isOwn}
        isOffline={isOffline}
        isOpening={isOpening && flow.connectionId === undefined}
        onAddAccount={() => flow.start()}
        onRemove={() => setRemoving(true)}
      />
      {leaving && (
        <DisconnectDialog
          account={leaving}
          name={name}
          onConfirm={(forget) => actions.disconnect(leaving, forget)}
          onClose={() => setLeaving(undefined)}
        />
      )}
      {isRemoving && (
        <AskDialog
          title={t('connections.remove.title', { name })}
          confirm={t('connections.remove.confirm')}
          onConfirm={actions.remove}
          onClose={() => setRemoving(false)}
        >
          {t('connections.remove.text')}
        </AskDialog>
      )}
    </article>
  )
}
