import type { RunPage, RunRow, RunStatus } from '@capstan/protocol'
import { Activity } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { useReason } from '../socket/use-reason.ts'
import { Duration } from '../ui/text/amounts.tsx'
import { Button } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { toPath } from '../routing/route.ts'
import { Link } from '../routing/router.tsx'
import { Select } from '../ui/controls/select.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { Table } from '../ui/surfaces/table.tsx'
import { Time } from '../ui/text/time.tsx'
import { CostText, TokensText } from './cost-text.tsx'
import { joinPages } from './join-pages.ts'
import { durationOf, usageOf } from './run-cost.ts'
import { StatusBadge } from './run-status.tsx'
import { useThreadUpdates } from './use-thread-updates.ts'
import { useNow } from '../timeline/use-now.ts'

const PAGE_SIZE = 25
const STATUSES = [
  'running',
  'waiting',
  'done',
  'failed',
  'needs-input',
  'capped',
  'halted',
  'aborted',
] as const satisfies readonly RunStatus[]

type Filter = 'all' | RunStatus

/** The turns, newest first, page by page. The list follows server updates. */
export function RunList(): ReactElement {
  const t = useT()
  const api = useApi()
  const toReason = useReason()
  const [filter, setFilter] = useState<Filter>('all')
  const query = { limit: PAGE_SIZE, ...(filter === 'all' ? undefined : { status: filter }) }
  const first = useLoaded(`runs ${filter}`, (signal) => api.runs({ ...query, signal }))
  const [older, setOlder] = useState<readonly RunPage[]>([])
  const [more, setMore] = useState<{ readonly isBusy: boolean; readonly reason?: string }>({
    isBusy: false,
  })
  useThreadUpdates(first.reload)

  useEffect(() => {
    setOlder([])
    setMore({ isBusy: false })
  }, [filter])

  const pages = first.data ? [first.data, ...older] : []
  const rows = joinPages(pages)
  const next = pages.at(-1)?.nextCursor
  const now = useNow(rows.some(({ endedAt }) => endedAt === undefined))

  async function loadMore(cursor: string): Promise<void> {
    setMore({ isBusy: true })
    try {
      const page = await api.runs({ ...query, cursor })
      setOlder((known) => [...known, page])
      setMore({ isBusy: false })
    } catch (error) {
      setMore({ isBusy: false, reason: toReason(error) })
    }
  }

  return (
    <section className="runs-section" aria-labelledby="runs-list">
      <div className="runs-section-head">
        <h2 id="runs-list">{t('runs.list')}</h2>
        <div className="runs-select">
          <Select
            label={t('runs.filter')}
            hideLabel
            value={filter}
            onValueChange={setFilter}
            options={[
              { value: 'all', label: t('runs.filterAll') },
              ...STATUSES.map((status) => ({ value: status, label: t(`runs.statuses.${status}`) })),
            ]}
          />
        </div>
      </div>
      {rows.length > 0 ? (
        <>
          <Rows rows={rows} now={now} />
          {more.reason !== undefined && (
            <p className="runs-problem" role="alert">
              {more.reason}
            </p>
          )}
          {next !== undefined && (
            <Button busy={more.isBusy} onClick={() => void loadMore(next)}>
              {t('runs.more')}
            </Button>
          )}
        </>
      ) : first.data ? (
        <NoRuns isFiltered={filter !== 'all'} onReset={() => setFilter('all')} />
      ) : first.error ? (
        <ErrorState title={t('runs.loadFailed')} onRetry={first.reload}>
          {toReason(first.error)}
        </ErrorState>
      ) : (
        <Skeleton lines={8} />
      )}
    </section>
  )
}

function NoRuns({
  isFiltered,
  onReset,
}: {
  readonly isFiltered: boolean
  readonly onReset: () => void
}): ReactElement {
  const t = useT()
  const icon = <Activity size={20} aria-hidden="true" />
  if (isFiltered) {
    return (
      <EmptyState
        icon={icon}
        title={t('runs.noneOfStatus.title')}
        actions={<Button onClick={onReset}>{t('runs.noneOfStatus.reset')}</Button>}
      />
    )
  }
  return (
    <EmptyState
      icon={icon}
      title={t('runs.empty.title')}
      actions={
        <Link className="ui-button" data-variant="strong" to="/">
          {t('runs.empty.action')}
        </Link>
      }
    >
      {t('runs.empty.text')}
    </EmptyState>
  )
}

function Rows({ rows, now }: { readonly rows: readonly RunRow[]; readonly now: number }): ReactElement {
  const t = useT()
  return (
    <div className="runs-list">
      <Table
        caption={t('runs.listCaption')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'text',
            title: t('runs.columns.text'),
            cell: (run) => (
              <>
                <Link className="runs-list-link" dir="auto" to={toPath({ page: 'runs', runId: run.id })}>
                  {run.text.trim() === '' ? t('runs.continued') : run.text}
                </Link>
                <span className="runs-list-under">
                  <StatusBadge status={run.status} />
                  <Time at={run.startedAt} />
                  {run.outcome && <CostText usage={run.outcome.usage} />}
                </span>
              </>
            ),
          },
          {
            key: 'status',
            title: t('runs.columns.status'),
            cell: ({ status }) => <StatusBadge status={status} />,
          },
          { key: 'model', title: t('runs.columns.model'), cell: ({ model }) => <bdi>{model}</bdi> },
          {
            key: 'started',
            title: t('runs.columns.started'),
            cell: ({ startedAt }) => <Time at={startedAt} />,
          },
          {
            key: 'duration',
            title: t('runs.columns.duration'),
            align: 'end',
            cell: (run) => <Duration ms={durationOf(run, now)} />,
          },
          {
            key: 'tokens',
            title: t('runs.columns.tokens'),
            align: 'end',
            cell: (run) => {
              const usage = usageOf(run)
              return usage ? <TokensText usage={usage} /> : <span title={t('runs.notYet')}>–</span>
            },
          },
          {
            key: 'cost',
            title: t('runs.columns.cost'),
            align: 'end',
            cell: (run) => {
              const usage = usageOf(run)
              return usage ? <CostText usage={usage} /> : <span title={t('runs.notYet')}>–</span>
            },
          },
        ]}
      />
    </div>
  )
}
