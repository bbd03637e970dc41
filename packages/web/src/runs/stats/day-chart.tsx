import { useState } from 'react'
import type { ReactElement } from 'react'
import type { StatsDay } from '@capstan/protocol'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { Disclosure } from '../../ui/surfaces/disclosure.tsx'
import type { DayMeasure } from './day-bars.ts'
import { TOKEN_PARTS, toDayChart } from './day-bars.ts'
import { DayTable } from './day-table.tsx'
import { PartBar } from '../charts/part-bar.tsx'
import { isolateText } from '../charts/isolate-text.ts'

const HEIGHT = 150
/** Space above the highest line for its label. */
const TOP = 16
const PLOT = HEIGHT - TOP

/** Bars per day. A table below has the same figures for people who cannot see the bars. */
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
          <ValueLines ticks={ticks} toText={total > 0 ? toAmount : undefined} />
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
      {measure === 'tokens' && <TokenLegend />}
      <Disclosure summary={t('runs.stats.numbers')}>
        <DayTable days={days} measure={measure} caption={title} />
      </Disclosure>
    </figure>
  )
}

/** The lines of the value axis, with a label unless there is nothing to measure. */
function ValueLines({
  ticks,
  toText,
}: {
  readonly ticks: readonly number[]
  readonly toText: ((value: number) => string) | undefined
}): ReactElement {
  const top = ticks.at(-1) ?? 1
  return (
    <>
      {ticks.map((tick) => {
        const y = TOP + PLOT * (1 - tick / top)
        return (
          <g key={tick}>
            <line className="runs-grid" x1="0" x2="100%" y1={y} y2={y} />
            {tick > 0 && toText && (
              <text className="runs-axis-text" x="0" y={y - 3}>
                {isolateText(toText(tick))}
              </text>
            )}
          </g>
        )
      })}
    </>
  )
}

function TokenLegend(): ReactElement {
  const t = useT()
  return (
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
  )
}
