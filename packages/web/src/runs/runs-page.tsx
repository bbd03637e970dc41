import './runs.css'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { ChartPatterns } from './chart-patterns.tsx'
import { RunList } from './run-list.tsx'
import { RunView } from './run-view.tsx'
import { StatsOverview } from './stats-overview.tsx'

/** What was done, when and for how much: all turns, or one run with everything below it. */
export function RunsPage({ runId }: { readonly runId?: string }): ReactElement {
  const t = useT()
  return (
    <div className="runs-page">
      <ChartPatterns />
      {runId === undefined ? (
        <>
          <header className="runs-head">
            <h1>{t('runs.title')}</h1>
            <p className="runs-soft">{t('runs.intro')}</p>
          </header>
          <StatsOverview />
          <RunList />
        </>
      ) : (
        <RunView key={runId} runId={runId} />
      )}
    </div>
  )
}
