import type { Stats } from '@capstan/protocol'
import { useMemo, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'
import { useReason } from '../../socket/use-reason.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Table } from '../../ui/surfaces/table.tsx'
import { CostText, TokensText } from '../cost-text.tsx'
import { DayChart } from './day-chart.tsx'
import { fillDays, sumDays, toRetention } from './day-bars.ts'
import { FailureBars } from './failure-bars.tsx'
import { useThreadUpdates } from '../use-thread-updates.ts'

const RANGES = ['7', '30', '90'] as const
type Range = (typeof RANGES)[number]

/** Tokens, cost, failures and prompt cache over the last days. */
export function StatsOverview(): ReactElement {
  const t = useT()
  const api = useApi()
  const toReason = useReason()
  const [range, setRange] = useState<Range>('30')
  const days = Number(range)
  const { data, error, reload } = useLoaded(`stats ${range}`, (signal) => api.stats({ days, signal }))
  useThreadUpdates(reload)

  return (
    <section className="runs-section" aria-labelledby="runs-overview">
      <div className="runs-section-head">
        <h2 id="runs-overview">{t('runs.overview')}</h2>
        <div className="runs-select">
          <Select
            label={t('runs.stats.range')}
            hideLabel
            value={range}
            onValueChange={setRange}
            options={RANGES.map((value) => ({
              value,
              label: t('runs.stats.lastDays', { count: Number(value) }),
            }))}
          />
        </div>
      </div>
      {data ? (
        <Numbers stats={data} days={days} />
      ) : error ? (
        <ErrorState title={t('runs.statsFailed')} onRetry={reload}>
          {toReason(error)}
        </ErrorState>
      ) : (
        <Skeleton lines={5} />
      )}
    </section>
  )
}

function Numbers({ stats, days: count }: { readonly stats: Stats; readonly days: number }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const days = useMemo(() => fillDays(stats.days, count, today()), [stats, count])
  const sum = sumDays(days)
  const retention = toRetention(stats.prefix)
  return (
    <>
      <dl className="runs-tiles">
        <Tile name={t('runs.columns.turns')} value={format.number(sum.turns)}>
          {t('runs.stats.failedTurns', { count: sum.failed })}
        </Tile>
        <Tile name={t('runs.columns.tokens')} value={format.compact(sum.inputTokens + sum.outputTokens)}>
          {sum.cachedInputTokens > 0 &&
            t('runs.stats.fromCache', { percent: format.percent(sum.cachedInputTokens / sum.inputTokens) })}
        </Tile>
        <Tile
          name={t('runs.columns.cost')}
          value={sum.usd === 0 && sum.turns > 0 ? t('runs.costUnknown') : format.currency(sum.usd)}
        >
          {sum.usd > 0 && t('runs.stats.perTurn', { amount: format.currency(sum.usd / sum.turns) })}
        </Tile>
        <Tile name={t('runs.prefix.title')} value={retention === undefined ? '–' : format.percent(retention)}>
          {retention === undefined
            ? t('runs.prefix.noCalls')
            : `${t('runs.prefix.retention', { percent: format.percent(retention) })}. ${t('runs.prefix.meaning')}`}
        </Tile>
      </dl>
      {sum.turns > 0 && (
        <div className="runs-figures">
          <DayChart days={days} measure="tokens" />
          {sum.usd > 0 && <DayChart days={days} measure="cost" />}
          <FailureBars failures={stats.failures} />
          {stats.models.length > 0 && (
            <div className="runs-figure">
              <h3>{t('runs.stats.models')}</h3>
              <Table
                caption={t('runs.stats.models')}
                rows={stats.models}
                rowKey={({ model }) => model}
                columns={[
                  { key: 'model', title: t('runs.columns.model'), cell: ({ model }) => <bdi>{model}</bdi> },
                  {
                    key: 'calls',
                    title: t('runs.columns.calls'),
                    align: 'end',
                    cell: ({ calls }) => format.number(calls),
                  },
                  {
                    key: 'tokens',
                    title: t('runs.columns.tokens'),
                    align: 'end',
                    cell: ({ usage }) => <TokensText usage={usage} />,
                  },
                  {
                    key: 'cost',
                    title: t('runs.columns.cost'),
                    align: 'end',
                    cell: ({ usage }) => <CostText usage={usage} />,
                  },
                ]}
              />
            </div>
          )}
        </div>
      )}
    </>
  )
}

function Tile({
  name,
  value,
  children,
}: {
  readonly name: string
  readonly value: string
  readonly children?: ReactNode
}): ReactElement {
  return (
    <div className="runs-tile">
      <dt>{name}</dt>
      <dd>
        <span className="runs-tile-value ui-figures">{value}</span>
        <span className="runs-tile-note">{children}</span>
      </dd>
    </div>
  )
}

/** A day in the form of the server, in the time zone of this browser. */
function today(): string {
  const now = new Date()
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
