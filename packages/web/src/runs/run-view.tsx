import type { RunDetail, Usage } from '@capstan/protocol'
import { ArrowLeft, MessageSquare } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { useReason } from '../socket/use-reason.ts'
import { agentName } from '@capstan/client'
import { Duration } from '../ui/amounts.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Page } from '../ui/page.tsx'
import { toPath } from '../ui/route.ts'
import { Link } from '../ui/router.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Time } from '../ui/time.tsx'
import { CostText } from './cost-text.tsx'
import { toTokenParts } from './day-bars.ts'
import { ExplainText } from './explain-text.tsx'
import { PrefixBreaks } from './prefix-breaks.tsx'
import { PartBar } from './part-bar.tsx'
import { durationOf, usageOf } from './run-cost.ts'
import { StatusBadge } from './run-status.tsx'
import { useNews } from './use-news.ts'
import { useNow } from '../timeline/use-now.ts'
import { layOutWaterfall } from './waterfall.ts'
import { WaterfallChart } from './waterfall-chart.tsx'
import { Fact } from './waterfall-details.tsx'
import { WaterfallTable } from './waterfall-table.tsx'
import { WhyAndNext } from './why-and-next.tsx'

/** While a run goes on, what it did is read this often: its calls are no news of the thread list. */
const FOLLOW_MS = 3000

/** One run with everything below it. Follows it while it goes on. */
export function RunView({ runId }: { readonly runId: string }): ReactElement {
  const t = useT()
  const api = useApi()
  const toReason = useReason()
  const { data, error, reload } = useLoaded(`run ${runId}`, (signal) => api.run(runId, { signal }))
  useNews(reload, data?.run.threadId)
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
  const isOpen = run.endedAt === undefined
  const now = useNow(isOpen)
  const waterfall = useMemo(() => layOutWaterfall(detail, now), [detail, now])
  const usage = usageOf(run)
  const text = run.text.trim()
  const untitled = run.parent ? t('runs.subAgent', { agent: agentName(run) }) : t('runs.continued')

  return (
    <Page
      title={text === '' ? untitled : cutLine(text)}
      description={<BackToList />}
      width="wide"
      actions={
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
      }
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
            <Duration ms={durationOf(run, now)} />
          </Fact>
          <Fact name={t('runs.columns.model')}>
            <bdi>{run.model}</bdi>
          </Fact>
          <Fact name={t('runs.columns.cost')}>{usage ? <CostText usage={usage} /> : t('runs.notYet')}</Fact>
        </dl>
        {usage && <TokenTable usage={usage} />}
      </section>

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

const MAX_TITLE_CHARS = 120

function cutLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= MAX_TITLE_CHARS ? line : `${line.slice(0, MAX_TITLE_CHARS).trimEnd()}…`
}

/** Why it failed and what can be done, where it failed. */
function Ending({ detail: { run } }: { readonly detail: RunDetail }): ReactElement | null {
  const { outcome } = run
  if (outcome?.type === 'failed') return <WhyAndNext failure={outcome.failure} of="model" stage="given-up" />
  if (outcome?.type !== 'halted' || !outcome.failure) return null
  return <WhyAndNext failure={outcome.failure} of="call" stage="given-up" />
}

const TOKEN_ROWS = ['input', 'cached', 'output', 'reasoning'] as const

function TokenTable({ usage }: { readonly usage: Usage }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const parts = toTokenParts(usage)
  const counts = {
    input: usage.inputTokens,
    cached: usage.cachedInputTokens,
    output: usage.outputTokens,
    reasoning: usage.reasoningTokens,
  }
  return (
    <div className="runs-tokens">
      <svg className="runs-tokens-bar" height="14" aria-hidden="true">
        {parts.map(({ part, bottomPercent, heightPercent }) => (
          <PartBar
            key={part}
            part={part}
            x={`${bottomPercent}%`}
            width={`${heightPercent}%`}
            y={0}
            height={heightPercent > 0 ? 14 : 0}
          />
        ))}
      </svg>
      <ul role="list" className="runs-legend" aria-hidden="true">
        {parts
          .filter(({ value }) => value > 0)
          .map(({ part }) => (
            <li key={part}>
              <svg width="14" height="14">
                <PartBar part={part} x="0" width="14" y={0} height={14} />
              </svg>
              {t(`runs.stats.parts.${part}`)}
            </li>
          ))}
      </ul>
      <table>
        <caption>{t('runs.tokens.title')}</caption>
        <tbody>
          {TOKEN_ROWS.filter((row) => row !== 'reasoning' || counts.reasoning > 0).map((row) => (
            <tr key={row} data-part={row === 'cached' || row === 'reasoning' || undefined}>
              <th scope="row">{t(`runs.tokens.${row}`)}</th>
              <td className="ui-figures">{format.number(counts[row])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="runs-soft">
        {t('runs.tokens.allBelow')}
        {usage.estimated && ` ${t('runs.tokens.estimated')}`}
      </p>
    </div>
  )
}
