import type { ConnectionRow, JobSummary } from '@capstan/protocol'
import { Ellipsis, Pause, Play, RefreshCw, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useReason } from '../../socket/use-reason.ts'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { useToast } from '../../ui/overlays/toast.tsx'
import { useAccountName } from '../account-row.tsx'
import type { SyncState } from './sync-state.ts'

type Change = 'pause' | 'resume' | 'run-now'

export interface SyncActionsProps {
  readonly account: ConnectionRow
  readonly job: JobSummary
  readonly state: SyncState
  readonly isOffline: boolean
  readonly onChange: () => void
  readonly onAllowReading: () => Promise<void>
  readonly onLimits: () => void
}

/** What a person can do with a sync that is on: what helps now as a button, the rest in a menu. */
export function SyncActions(props: SyncActionsProps): ReactElement {
  const { account, job, state, isOffline, onChange, onAllowReading, onLimits } = props
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const toReason = useReason()
  const [isBusy, setBusy] = useState(false)
  const name = useAccountName()(account)

  async function act(work: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      toast({ text: toReason(error), tone: 'fail' })
    }
    setBusy(false)
    onChange()
  }
  const change = (what: Change) => act(() => api.changeJob(job.id, what))
  // The sync waited for this, so it goes on at once.
  const allow = () => act(() => onAllowReading().then(() => api.changeJob(job.id, 'run-now')))

  const canRun = job.status === 'waiting' || job.status === 'paused' || job.status === 'failed'
  const help =
    state.type === 'reading'
      ? { label: t('sync.actions.allowReading'), run: allow }
      : state.type === 'failed' || state.type === 'no-source'
        ? { label: t('sync.actions.now'), run: () => change('run-now') }
        : state.type === 'paused'
          ? { label: t('sync.actions.resume'), run: () => change('resume') }
          : undefined
  return (
    <div className="sync-actions">
      {help && (
        <Button size="sm" busy={isBusy} disabled={isOffline} onClick={() => void help.run()}>
          {help.label}
        </Button>
      )}
      <Menu
        trigger={
          <IconButton label={t('sync.actions.menu', { account: name })} size="sm" disabled={isOffline}>
            <Ellipsis aria-hidden="true" />
          </IconButton>
        }
        items={[
          ...(canRun
            ? [
                {
                  label: t('sync.actions.now'),
                  icon: <RefreshCw aria-hidden="true" />,
                  onSelect: () => void change('run-now'),
                },
              ]
            : []),
          ...(job.status === 'waiting' || job.status === 'running'
            ? [
                {
                  label: t('sync.actions.pause'),
                  icon: <Pause aria-hidden="true" />,
                  onSelect: () => void change('pause'),
                },
              ]
            : []),
          ...(job.status === 'paused'
            ? [
                {
                  label: t('sync.actions.resume'),
                  icon: <Play aria-hidden="true" />,
                  onSelect: () => void change('resume'),
                },
              ]
            : []),
          {
            label: t('sync.actions.limits'),
            icon: <SlidersHorizontal aria-hidden="true" />,
            onSelect: onLimits,
          },
        ]}
      />
    </div>
  )
}
