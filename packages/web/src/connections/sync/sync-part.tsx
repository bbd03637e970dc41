import './sync.css'
import type { ConnectionRow, McpServerRow, SyncView } from '@capstan/protocol'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { Link } from '../../routing/router.tsx'
import { toPath } from '../../routing/route.ts'
import { Switch } from '../../ui/controls/switch.tsx'
import { Disclosure } from '../../ui/surfaces/disclosure.tsx'
import { useNow } from '../../ui/text/time.tsx'
import { useAccountName } from '../account-row.tsx'
import { MappingPart } from './mapping/mapping-part.tsx'
import { LimitsDialog } from './limits-dialog.tsx'
import { SwitchOffDialog } from './switch-off-dialog.tsx'
import { SwitchOnDialog } from './switch-on-dialog.tsx'
import { SyncActions } from './sync-actions.tsx'
import { toSyncState } from './sync-state.ts'
import type { Syncs } from './use-syncs.ts'
import { useSyncWords } from './use-sync-words.ts'

const TROUBLE = new Set(['failed', 'reading', 'no-source', 'sign-in'])

interface SyncPartProps {
  readonly account: ConnectionRow
  /** The server that the owner added for this app. */
  readonly server: McpServerRow | undefined
  readonly syncs: Syncs
  readonly isOffline: boolean
  readonly onAllowReading: () => Promise<void>
  readonly onServerChange: () => void
}

type Asks = 'on' | 'off' | 'limits' | 'mapping'

/** The sync of one account into memory. Draws nothing when its app offers nothing to sync and none can be set up. */
export function SyncPart(props: SyncPartProps): ReactElement {
  const { account, server, syncs } = props
  const [asks, setAsks] = useState<Asks>()
  const sync = syncs.of(account.id)
  const isActive = account.status === 'active'
  const canMap = syncs.isKnown && isActive && (!sync || server?.sync !== undefined)
  return (
    <>
      {/* An account that was never connected has nothing to sync; one that lost its sign-in says what waits for it. */}
      {sync && (sync.isOn || isActive) && <SyncLine {...props} sync={sync} asks={asks} onAsk={setAsks} />}
      {server && canMap && (
        <MappingPart
          {...props}
          server={server}
          isOpen={asks === 'mapping'}
          onOpen={() => setAsks('mapping')}
          onSaved={(saved) => setAsks(saved && !saved.isOn ? 'on' : undefined)}
          onClose={() => setAsks(undefined)}
        />
      )}
    </>
  )
}

function SyncLine({
  account,
  syncs,
  isOffline,
  onAllowReading,
  sync,
  asks,
  onAsk,
}: SyncPartProps & {
  readonly sync: SyncView
  readonly asks: Asks | undefined
  readonly onAsk: (asks: Asks | undefined) => void
}): ReactElement {
  const t = useT()
  const words = useSyncWords()
  const name = useAccountName()(account)
  const now = useNow(30_000)
  // What went wrong with a whole page is said by the state.
  const notRead = sync.problems.filter(({ item }) => item !== undefined)
  const state = toSyncState(sync, account.status, Math.max(now, Date.now()))
  const close = (): void => onAsk(undefined)
  /** Only the estimate may have found out that there is nothing to sync. */
  function closeAndLook(): void {
    close()
    syncs.reload()
  }

  return (
    <div
      className="sync-part"
      role="group"
      aria-label={t('sync.actions.menu', { account: name })}
      data-trouble={TROUBLE.has(state.type) || undefined}
    >
      <div className="sync-line">
        <Switch
          label={t('sync.title')}
          hint={words(state, Math.max(now, Date.now()))}
          checked={sync.isOn}
          disabled={isOffline}
          onCheckedChange={(isOn) => onAsk(isOn ? 'on' : 'off')}
        />
        {sync.job && (
          <SyncActions
            account={account}
            job={sync.job}
            state={state}
            isOffline={isOffline}
            onChange={syncs.reload}
            onAllowReading={onAllowReading}
            onLimits={() => onAsk('limits')}
          />
        )}
      </div>
      {state.type === 'running' && state.total !== undefined && state.total > 0 && (
        <progress
          className="sync-progress"
          aria-label={t('sync.title')}
          value={state.done}
          max={state.total}
        />
      )}
      {sync.lastDoneAt !== undefined && (
        <Link className="sync-memory" to={toPath({ page: 'memory', tab: 'items' })}>
          {t('sync.show')}
        </Link>
      )}
      {notRead.length > 0 && <NotRead problems={notRead} failed={sync.progress?.failed ?? 0} />}
      {asks === 'on' && (
        <SwitchOnDialog account={account} sync={sync} onDone={syncs.show} onClose={closeAndLook} />
      )}
      {asks === 'off' && <SwitchOffDialog account={account} onDone={syncs.reload} onClose={close} />}
      {asks === 'limits' && (
        <LimitsDialog account={account} sync={sync} onDone={syncs.show} onClose={close} />
      )}
    </div>
  )
}

/** What went wrong with single items. The texts are of the app. */
function NotRead({
  problems,
  failed,
}: {
  readonly problems: SyncView['problems']
  readonly failed: number
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  return (
    <Disclosure summary={t('sync.notRead', { number: Math.max(problems.length, failed) })}>
      <ul className="sync-problems">
        {problems.map(({ at, item, message }, index) => (
          <li key={index}>
            <time dateTime={new Date(at).toISOString()}>{format.dateTime(at)}</time>{' '}
            {item !== undefined && <code>{item}</code>} <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
