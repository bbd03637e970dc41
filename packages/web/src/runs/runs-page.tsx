import './runs.css'
import './stats/stats.css'
import './waterfall/waterfall.css'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { Page } from '../ui/surfaces/page.tsx'
import { ChartPatterns } from './charts/chart-patterns.tsx'
import { RunList } from './run-list.tsx'
import { RunView } from './run-view.tsx'
import { StatsOverview } from './stats/stats-overview.tsx'

/** The list of all turns with statistics, or one run with everything below it. */
export function RunsPage({ runId }: { readonly runId?: string }): ReactElement {
  const t = useT()
  return (
    <>
      <ChartPatterns />
      {runId === undefined ? (
        <Page title={t('runs.title')} description={t('runs.intro')} width="wide">
          <StatsOverview />
          <RunList />
        </Page>
      ) : (
        <RunView key={runId} runId={runId} />
      )}
    </>
  )
}
