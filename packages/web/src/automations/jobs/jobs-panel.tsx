import './jobs.css'
import type { JobSummary } from '@capstan/protocol'
import { JOB_STATUSES } from '@capstan/protocol'
import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { AskDialog } from '../../connections/ask-dialog.tsx'
import { useT } from '../../i18n/use-t.ts'
import { toPath } from '../../routing/route.ts'
import { Link } from '../../routing/router.tsx'
import { useReason } from '../../socket/use-reason.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { JobCard } from './job-card.tsx'
import type { JobFilter } from './use-jobs.ts'
import { useJobs } from './use-jobs.ts'
import { useProgress } from './use-progress.ts'

const KINDS = ['sync', 'schedule', 'trigger', 'watch'] as const
const ALL: JobFilter = { kind: '', status: '' }

/** All work without a person, with its state, and what can be done about it. */
export function JobsPanel(): ReactElement {
  const t = useT()
  const toReason = useReason()
  const [filter, setFilter] = useState(ALL)
  const list = useJobs(filter)
  const progress = useProgress()
  const [ending, setEnding] = useState<JobSummary>()
  const { jobs, error, more } = list
  return (
    <div className="jobs">
      <p className="jobs-soft">{t('jobs.intro')}</p>
      <Filters filter={filter} onChange={setFilter} />
      {jobs?.map((job) => (
        <JobCard
          key={job.id}
          job={job}
          progress={progress.get(job.id)}
          onAct={(action) => (action === 'cancel' ? setEnding(job) : list.change(job, action))}
        />
      ))}
      {jobs?.length === 0 && <NoJobs isFiltered={filter !== ALL} onReset={() => setFilter(ALL)} />}
      {more && <More onMore={more} />}
      {!jobs && error && (
        <ErrorState title={t('jobs.loadFailed')} onRetry={list.reload}>
          {toReason(error)}
        </ErrorState>
      )}
      {!jobs && !error && <Skeleton lines={6} />}
      {ending && (
        <AskDialog
          title={t('jobs.cancelAsk.title', { title: ending.title })}
          confirm={t('jobs.actions.cancel')}
          onConfirm={() => list.cancel(ending)}
          onClose={() => setEnding(undefined)}
        >
          {t('jobs.cancelAsk.text')}
        </AskDialog>
      )}
    </div>
  )
}

function Filters({
  filter,
  onChange,
}: {
  readonly filter: JobFilter
  readonly onChange: (filter: JobFilter) => void
}): ReactElement {
  const t = useT()
  const toFilter = (part: Partial<JobFilter>): void => {
    const next = { ...filter, ...part }
    onChange(next.kind === '' && next.status === '' ? ALL : next)
  }
  return (
    <div className="jobs-filters">
      <Select
        label={t('jobs.kind')}
        value={filter.kind}
        onValueChange={(kind) => toFilter({ kind })}
        options={[
          { value: '', label: t('jobs.all') },
          ...KINDS.map((value) => ({ value, label: t(`jobs.kinds.${value}`) })),
        ]}
      />
      <Select
        label={t('jobs.state')}
        value={filter.status}
        onValueChange={(status) => toFilter({ status })}
        options={[
          { value: '' as const, label: t('jobs.all') },
          ...JOB_STATUSES.map((value) => ({ value, label: t(`jobs.states.${value}`) })),
        ]}
      />
    </div>
  )
}

function NoJobs({
  isFiltered,
  onReset,
}: {
  readonly isFiltered: boolean
  readonly onReset: () => void
}): ReactElement {
  const t = useT()
  const icon = <ListChecks size={20} aria-hidden="true" />
  if (isFiltered)
    return (
      <EmptyState
        icon={icon}
        title={t('jobs.none.title')}
        actions={<Button onClick={onReset}>{t('jobs.none.reset')}</Button>}
      />
    )
  return (
    <EmptyState
      icon={icon}
      title={t('schedules.empty.title')}
      actions={
        <Link className="ui-button" to={toPath({ page: 'automations', tab: 'schedules' })}>
          {t('schedules.add')}
        </Link>
      }
    >
      {t('jobs.empty.text')}
    </EmptyState>
  )
}

function More({ onMore }: { readonly onMore: () => Promise<void> }): ReactElement {
  const t = useT()
  const [isBusy, setBusy] = useState(false)
  return (
    <Button
      className="jobs-more"
      busy={isBusy}
      onClick={() => {
        setBusy(true)
        void onMore().finally(() => setBusy(false))
      }}
    >
      {t('jobs.more')}
    </Button>
  )
}
