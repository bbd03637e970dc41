import { useState } from 'react'
import type { ReactElement } from 'react'
import type { StatsDay } from '@capstan/protocol'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { Disclosure } from '../../ui/surfaces/disclosure.tsx'
import type { TableColumn } from '../../ui/surfaces/table.tsx'
import { Table } from '../../ui/surfaces/table.tsx'
import type { DayMeasure } from './day-bars.ts'
import { toDayChart } from './day-bars.ts'
import { PartBar } from '../charts/part-bar.tsx'
import { standApart } from '../charts/stand-apart.ts'

const HEIGHT = 150
/** Room above the highest line for its label. */
const TOP = 16
const PLOT = HEIGHT - TOP

const TOKEN_PARTS = ['cached', 'fresh', 'output'] as const

/** Bars per day. The figures are in a table below, for whoever wants them or cannot see the bars. */
export function DayChart({
  days,
  measure,
}: {
  readonly days: readonly StatsDay[]
  readonly measure: DayMeasure
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  const [pointed, setPointed] = useState<number>()
  const { bars, ticks } = toDayChart(days, measure)
  const top = ticks.at(-1) ?? 1
  const toAmount = (value: number): string =>
    measure === 'cost' ? format.currency(value) : format.compact(value)
  const total = bars.reduce((sum, bar) => sum + bar.total, 0)
  const bar = pointed === undefined ? undefined : bars[pointed]
  const step = 100 / Math.max(1, bars.length)
  const title = t(`runs.stats.${measure}`)
  const inAll =
    measure === 'cost'
      ? t('runs.stats.totalCost', { total: format.currency(total) })
      : t('runs.stats.totalTokens', { total: format.compact(total) })

  return (
    <figure className="runs-figure">
      <figcaption className="runs-figure-head">
        <h3>{title}</h3>
        <p className="runs-soft ui-figures">
          {bar ? (
            <>
              {format.day(bar.day.day)} · {toAmount(bar.total)}
            </>
          ) : (
            inAll
          )}
        </p>
      </figcaption>
      <div className="runs-plot" dir="ltr" onPointerLeave={() => setPointed(undefined)}>
        <svg className="runs-days" height={HEIGHT} role="img" aria-label={`${title}: ${inAll}`}>
          {ticks.map((tick) => {
            const y = TOP + PLOT * (1 - tick / top)
            return (
              <g key={tick}>
                <line className="runs-grid" x1="0" x2="100%" y1={y} y2={y} />
                {tick > 0 && total > 0 && (
                  <text className="runs-axis-text" x="0" y={y - 3}>
                    {standApart(toAmount(tick))}
                  </text>
                )}
              </g>
            )
          })}
          {bars.map(({ day, parts }, index) => (
            <g
              key={day.day}
              data-pointed={index === pointed || undefined}
              onPointerEnter={() => setPointed(index)}
            >
              <rect
                className="runs-day-hit"
                x={`${index * step}%`}
                width={`${step}%`}
                y="0"
                height={HEIGHT}
              />
              {parts.map((part) => (
                <PartBar
                  key={part.part}
                  part={part.part}
                  x={`${(index + 0.14) * step}%`}
                  width={`${step * 0.72}%`}
                  y={TOP + PLOT * (1 - (part.bottomPercent + part.heightPercent) / 100)}
                  height={(PLOT * part.heightPercent) / 100}
                />
              ))}
            </g>
          ))}
        </svg>
        <div className="runs-days-axis" aria-hidden="true">
          {[bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)].map(
            (at, place) => at && <bdi key={place}>{format.day(at.day.day)}</bdi>,
          )}
        </div>
      </div>
      {measure === 'tokens' && (
        <ul role="list" className="runs-legend">
          {TOKEN_PARTS.map((part) => (
            <li key={part}>
              <svg width="14" height="14" aria-hidden="true">
                <PartBar part={part} x="0" width="14" y={0} height={14} />
              </svg>
              {t(`runs.stats.parts.${part}`)}
            </li>
          ))}
        </ul>
      )}
      <Disclosure summary={t('runs.stats.numbers')}>
        <Table
          caption={title}
          rows={days.filter(({ turns, usd }) => turns > 0 || usd > 0).toReversed()}
          rowKey={({ day }) => day}
          columns={measure === 'cost' ? costColumns() : tokenColumns()}
        />
      </Disclosure>
    </figure>
  )

  function dayColumns(): readonly TableColumn<StatsDay>[] {
    return [
      { key: 'day', title: t('runs.columns.day'), cell: ({ day }) => format.day(day) },
      {
        key: 'turns',
        title: t('runs.columns.turns'),
        align: 'end',
        cell: ({ turns }) => format.number(turns),
      },
    ]
  }

  function costColumns(): readonly TableColumn<StatsDay>[] {
    return [
      ...dayColumns(),
      {
        key: 'failed',
        title: t('runs.columns.failed'),
        align: 'end',
        cell: ({ failed }) => format.number(failed),
      },
      { key: 'usd', title: t('runs.columns.cost'), align: 'end', cell: ({ usd }) => format.currency(usd) },
    ]
  }

  function tokenColumns(): readonly TableColumn<StatsDay>[] {
    return [
      ...dayColumns(),
      ...TOKEN_PARTS.map((part): TableColumn<StatsDay> => ({
        key: part,
        title: t(`runs.stats.parts.${part}`),
        align: 'end',
        cell: (day) => format.number(partOf(day, part)),
      })),
    ]
  }
}

const partOf = (day: StatsDay, part: (typeof TOKEN_PARTS)[number]): number =>
  toDayChart([day], 'tokens').bars[0]?.parts.find((each) => each.part === part)?.value ?? 0
