import type { RunDetail, RunRow } from '@capstan/protocol'
import { ArrowLeft, MessageSquare } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { useReason } from '../socket/use-reason.ts'
import { agentName } from '@capstan/client'
import { Duration } from '../ui/text/amounts.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { Page } from '../ui/surfaces/page.tsx'
import { toPath } from '../routing/route.ts'
import { Link } from '../routing/router.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { Tabs } from '../ui/surfaces/tabs.tsx'
import { Time } from '../ui/text/time.tsx'
import { CostText } from './cost-text.tsx'
import { ExplainText } from './explain-text.tsx'
import { PrefixBreaks } from './stats/prefix-breaks.tsx'
import { durationOf, usageOf } from './run-cost.ts'
import { StatusBadge } from './run-status.tsx'
import { TokenTable } from './token-table.tsx'
import { useThreadUpdates } from './use-thread-updates.ts'
import { useNow } from '../timeline/use-now.ts'
import { layOutWaterfall } from './waterfall/waterfall.ts'
import { WaterfallChart } from './waterfall/waterfall-chart.tsx'
import { Fact } from './waterfall/waterfall-details.tsx'
import { WaterfallTable } from './waterfall/waterfall-table.tsx'
import { WhyAndNext } from './why-and-next.tsx'

/** How often a running run is read again: its calls cause no update of the thread list. */
const FOLLOW_MS = 3000

/** One run with everything below it. Follows a running run. */
export function RunView({ runId }: { readonly runId: string }): ReactElement {
  const t = useT()
  const api = useApi()
  const toReason = useReason()
  const { data, error, reload } = useLoaded(`run ${runId}`, (signal) => api.run(runId, { signal }))
  useThreadUpdates(reload, data?.run.threadId)
  const isRunning = data?.run.status === 'running'
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload()
    }, FOLLOW_MS)
    return () => clearInterval(timer)
  }, [isRunning, reload])

  if (data) return <Detail detail={data} />
  return (
    <Page title={t('runs.turn')} description={<BackToList />} width="wide">
      {error?.code === 'not_found' ? (
        <EmptyState title={t('runs.notFound.title')}>{t('runs.notFound.text')}</EmptyState>
      ) : error ? (
        <ErrorState title={t('runs.runFailed')} onRetry={reload}>
          {toReason(error)}
        </ErrorState>
      ) : (
        <Skeleton lines={8} />
      )}
    </Page>
  )
}

function BackToList(): ReactElement {
  const t = useT()
  return (
    <Link className="runs-back" to="/runs">
      <ArrowLeft className="ui-mirrored" size={16} aria-hidden="true" />
      {t('runs.backToList')}
    </Link>
  )
}

function Detail({ detail }: { readonly detail: RunDetail }): ReactElement {
  const t = useT()
  const { run } = detail
  const now = useNow(run.endedAt === undefined)
  const usage = usageOf(run)
  const text = run.text.trim()
  const untitled = run.parent ? t('runs.subAgent', { agent: agentName(run) }) : t('runs.continued')

  return (
    <Page
      title={text === '' ? untitled : cutLine(text)}
      description={<BackToList />}
      width="wide"
      actions={<RunLinks run={run} />}
    >
      <div className="runs-head">
        <div className="runs-head-facts">
          <StatusBadge status={run.status} />
          {run.parent && <span>{t('runs.subAgent', { agent: agentName(run) })}</span>}
          <Time at={run.startedAt} form="date-time" />
          {run.outcome && <span>{t('runs.steps', { count: run.outcome.iterations })}</span>}
        </div>
        {run.status === 'running' && <p className="runs-soft">{t('runs.live')}</p>}
        {run.resumes > 0 && <p className="runs-soft">{t('runs.resumed', { count: run.resumes })}</p>}
        <Ending detail={detail} />
      </div>

      <section className="runs-section" aria-labelledby="runs-facts">
        <h2 id="runs-facts">{t('runs.facts')}</h2>
        <dl className="runs-facts runs-facts-wide">
          <Fact name={t('runs.columns.duration')}>
            <Duration ms={Math.max(0, durationOf(run, now) - detail.waitedMs)} />
          </Fact>
          {detail.waitedMs > 0 && (
            <Fact name={t('runs.statuses.waiting')}>
              <Duration ms={detail.waitedMs} />
            </Fact>
          )}
          <Fact name={t('runs.columns.model')}>
            <bdi>{run.model}</bdi>
          </Fact>
          <Fact name={t('runs.columns.cost')}>{usage ? <CostText usage={usage} /> : t('runs.notYet')}</Fact>
        </dl>
        {usage && <TokenTable usage={usage} />}
      </section>

      <WaterfallSection detail={detail} now={now} />

      <section className="runs-section" aria-labelledby="runs-prefix">
        <h2 id="runs-prefix">{t('runs.prefix.title')}</h2>
        <PrefixBreaks detail={detail} />
      </section>

      <section className="runs-section" aria-labelledby="runs-explain">
        <h2 id="runs-explain">{t('runs.explain.title')}</h2>
        <ExplainText lines={detail.explanation} />
      </section>
    </Page>
  )
}

/** Leads to the run above and to the conversation. */
function RunLinks({ run }: { readonly run: RunRow }): ReactElement {
  const t = useT()
  return (
    <>
      {run.parent && (
        <Link className="ui-button" to={toPath({ page: 'runs', runId: run.parent.runId })}>
          {t('runs.parentRun')}
        </Link>
      )}
      <Link
        className="ui-button"
        to={toPath({
          page: 'chat',
          threadId: run.threadId,
          ...(run.parent ? { callId: run.parent.callId } : { runId: run.id }),
        })}
      >
        <MessageSquare aria-hidden="true" />
        {t('runs.openThread')}
      </Link>
    </>
  )
}

function WaterfallSection({
  detail,
  now,
}: {
  readonly detail: RunDetail
  readonly now: number
}): ReactElement {
  const t = useT()
  const waterfall = useMemo(() => layOutWaterfall(detail, now), [detail, now])
  const isOpen = detail.run.endedAt === undefined
  return (
    <section className="runs-section" aria-labelledby="runs-waterfall">
      <h2 id="runs-waterfall">{t('runs.waterfall.title')}</h2>
      <Tabs
        label={t('runs.waterfall.view')}
        tabs={[
          {
            value: 'chart',
            title: t('runs.waterfall.chart'),
            content: (
              <>
                <WaterfallChart waterfall={waterfall} />
                {detail.calls.length === 0 && !isOpen && (
                  <p className="runs-soft">{t('runs.waterfall.empty')}</p>
                )}
              </>
            ),
          },
          {
            value: 'table',
            title: t('runs.waterfall.table'),
            content: <WaterfallTable waterfall={waterfall} />,
          },
        ]}
      />
    </section>
  )
}

const MAX_TITLE_CHARS = 120

function cutLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= MAX_TITLE_CHARS ? line : `${line.slice(0, MAX_TITLE_CHARS).trimEnd()}…`
}

/** Why a failed run failed and what to do next. */
function Ending({ detail: { run } }: { readonly detail: RunDetail }): ReactElement | null {
  const { outcome } = run
  if (outcome?.type === 'failed') return <WhyAndNext failure={outcome.failure} of="model" stage="given-up" />
  if (outcome?.type !== 'halted' || !outcome.failure) return null
  return <WhyAndNext failure={outcome.failure} of="call" stage="given-up" />
}
