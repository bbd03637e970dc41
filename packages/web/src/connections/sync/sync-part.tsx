import './sync.css'
import type { ConnectionRow, SyncView } from '@capstan/protocol'
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
import { LimitsDialog } from './limits-dialog.tsx'
import { SwitchOffDialog } from './switch-off-dialog.tsx'
import { SwitchOnDialog } from './switch-on-dialog.tsx'
import { SyncActions } from './sync-actions.tsx'
import { toSyncState } from './sync-state.ts'
import type { Syncs } from './use-syncs.ts'
import { useSyncWords } from './use-sync-words.ts'

const TROUBLE = new Set(['failed', 'reading', 'no-source', 'sign-in'])

/** The sync of one account into memory. Draws nothing when its app offers nothing to sync. */
export function SyncPart({
  account,
  syncs,
  isOffline,
  onAllowReading,
}: {
  readonly account: ConnectionRow
  readonly syncs: Syncs
  readonly isOffline: boolean
  readonly onAllowReading: () => Promise<void>
}): ReactElement | null {
  const t = useT()
  const words = useSyncWords()
  const name = useAccountName()(account)
  const now = useNow(30_000)
  const [asks, setAsks] = useState<'on' | 'off' | 'limits'>()
  const sync = syncs.of(account.id)
  // An account that was never connected has nothing to sync; one that lost its sign-in says what waits for it.
  if (!sync || (!sync.isOn && account.status !== 'active')) return null
  // What went wrong with a whole page is said by the state.
  const notRead = sync.problems.filter(({ item }) => item !== undefined)
  const state = toSyncState(sync, account.status, Math.max(now, Date.now()))
  const close = (): void => setAsks(undefined)

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
          onCheckedChange={(isOn) => setAsks(isOn ? 'on' : 'off')}
        />
        {sync.job && (
          <SyncActions
            account={account}
            job={sync.job}
            state={state}
            isOffline={isOffline}
            onChange={syncs.reload}
            onAllowReading={onAllowReading}
            onLimits={() => setAsks('limits')}
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
      {asks === 'on' && <SwitchOnDialog account={account} sync={sync} onDone={syncs.show} onClose={close} />}
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
