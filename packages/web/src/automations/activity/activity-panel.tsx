import './activity.css'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { toPath } from '../../routing/route.ts'
import { Link } from '../../routing/router.tsx'
import { useReason } from '../../socket/use-reason.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { ActivityFilters } from './activity-filters.tsx'
import { daysAgo, groupByDay } from './group-by-day.ts'
import { TriggerItem } from './trigger-item.tsx'
import type { ActivityFilter } from './use-activity.ts'
import { useActivity } from './use-activity.ts'

const EVERYTHING: ActivityFilter = { source: '', action: '' }

/** What came in while nobody looked, newest first, with each decision and its reason. */
export function ActivityPanel(): ReactElement {
  const t = useT()
  const toReason = useReason()
  const [filter, setFilter] = useState(EVERYTHING)
  const activity = useActivity(filter)
  const { rows, error, reload } = activity
  const isFiltered = filter.source !== '' || filter.action !== ''
  if (!rows)
    return error ? (
      <ErrorState title={t('activity.loadFailed')} onRetry={reload}>
        {toReason(error)}
      </ErrorState>
    ) : (
      <Skeleton lines={8} />
    )
  if (rows.length === 0 && activity.loadMore === undefined && !isFiltered) return <NothingYet />
  return (
    <section className="activity" aria-label={t('activity.list')}>
      <ActivityFilters filter={filter} onChange={setFilter} />
      {rows.length === 0 && activity.loadMore === undefined && (
        <EmptyState
          icon={<Inbox size={20} aria-hidden="true" />}
          title={t('activity.none.title')}
          actions={<Button onClick={() => setFilter(EVERYTHING)}>{t('activity.none.reset')}</Button>}
        />
      )}
      {groupByDay(rows).map((day) => (
        <section key={new Date(day.at).toDateString()} className="activity-day">
          <DayTitle at={day.at} />
          <ul role="list">
            {day.rows.map((row) => (
              <li key={row.id}>
                <TriggerItem row={row} onChange={reload} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {activity.moreProblem !== undefined && (
        <p className="activity-problem" role="alert">
          {activity.moreProblem}
        </p>
      )}
      {activity.loadMore && (
        <Button className="activity-older" busy={activity.isLoadingMore} onClick={activity.loadMore}>
          {t('activity.more')}
        </Button>
      )}
    </section>
  )
}

function DayTitle({ at }: { readonly at: number }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const ago = daysAgo(at, Date.now())
  return (
    <h3>
      {ago === 0 ? t('shell.threads.today') : ago === 1 ? t('shell.threads.yesterday') : format.date(at)}
    </h3>
  )
}

function NothingYet(): ReactElement {
  const t = useT()
  return (
    <EmptyState
      icon={<Inbox size={20} aria-hidden="true" />}
      title={t('activity.empty.title')}
      actions={
        <Link
          className="ui-button"
          data-variant="strong"
          to={toPath({ page: 'automations', tab: 'triggers' })}
        >
          {t('activity.empty.action')}
        </Link>
      }
    >
      {t('activity.empty.text')}
    </EmptyState>
  )
}
