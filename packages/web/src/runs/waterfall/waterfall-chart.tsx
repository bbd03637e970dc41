import { useEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ToneIcon } from '../run-status.tsx'
import { toTimeTicks } from '../charts/scale.ts'
import { isolateText } from '../charts/isolate-text.ts'
import { moveInTree } from './tree-keys.ts'
import type { TimeWindow, Tone, Waterfall, WaterfallPart } from './waterfall.ts'
import { openRows, placePercent, windowAround } from './waterfall.ts'
import type { BarTone } from './waterfall-bar.tsx'
import { WaterfallBar } from './waterfall-bar.tsx'
import { WaterfallDetails } from './waterfall-details.tsx'
import { WaterfallRow } from './waterfall-row.tsx'

const MOST_TICKS = 5
const TONES: readonly Tone[] = ['ok', 'running', 'waiting', 'failed', 'held', 'unknown']

/** A run's tree over time: an ARIA tree for keyboard and screen readers, with bars. Time runs left to right. */
export function WaterfallChart({ waterfall }: { readonly waterfall: Waterfall }): ReactElement {
  const t = useT()
  const { dir } = useLanguage()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [currentKey, setCurrentKey] = useState<string>()
  const [hoveredKey, setHoveredKey] = useState<string>()
  const [zoom, setZoom] = useState<TimeWindow>()
  const tree = useRef<HTMLDivElement>(null)
  const shouldFocus = useRef(false)

  const rows = useMemo(() => openRows(waterfall.rows, closed), [waterfall, closed])
  const window = zoom ?? { startMs: 0, endMs: waterfall.totalMs }
  const ticks = toTimeTicks(window.startMs, window.endMs, MOST_TICKS)
  const current = rows.find(({ key }) => key === currentKey) ?? rows[0]
  const shown = rows.find(({ key }) => key === hoveredKey) ?? current

  useEffect(() => {
    if (!shouldFocus.current) return
    shouldFocus.current = false
    tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [current?.key])

  function toggle(key: string): void {
    setClosed((known) => {
      const next = new Set(known)
      if (!next.delete(key)) next.add(key)
      return next
    })
  }

  function press(event: KeyboardEvent): void {
    if (!current || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter') {
      event.preventDefault()
      setZoom(zoom ? undefined : windowAround(current, waterfall))
      return
    }
    if (event.key === 'Escape' && zoom) {
      event.preventDefault()
      setZoom(undefined)
      return
    }
    const move = moveInTree(event.key, { rows, current: current.key, closed, dir })
    if (!move) return
    event.preventDefault()
    if (move.type === 'go') {
      shouldFocus.current = true
      setCurrentKey(move.key)
    } else toggle(move.key)
  }

  return (
    <div className="runs-waterfall">
      <p id="runs-waterfall-help" className="ui-visually-hidden">
        {t('runs.waterfall.help')}
      </p>
      {zoom && <ZoomLine zoom={zoom} onZoomOut={() => setZoom(undefined)} />}
      <TimeAxis ticks={ticks} window={window} />
      <div
        ref={tree}
        role="tree"
        className="runs-tree"
        aria-label={t('runs.waterfall.label')}
        aria-describedby="runs-waterfall-help"
        onKeyDown={press}
        onPointerLeave={() => setHoveredKey(undefined)}
      >
        {rows.map((row) => (
          <WaterfallRow
            key={row.key}
            row={row}
            isCurrent={row === current}
            isOpen={!closed.has(row.key)}
            window={window}
            ticks={ticks}
            onChoose={() => setCurrentKey(row.key)}
            onHover={() => setHoveredKey(row.key)}
            onToggle={() => toggle(row.key)}
            onZoom={() => setZoom(windowAround(row, waterfall))}
          />
        ))}
      </div>
      <ToneLegend waterfall={waterfall} />
      {shown && (
        <WaterfallDetails
          row={shown}
          stage={waterfall.stage}
          isChosen={currentKey !== undefined}
          isZoomed={zoom !== undefined}
          onZoom={() => setZoom(windowAround(shown, waterfall))}
          onZoomOut={() => setZoom(undefined)}
        />
      )}
    </div>
  )
}

function ZoomLine({
  zoom,
  onZoomOut,
}: {
  readonly zoom: TimeWindow
  readonly onZoomOut: () => void
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  return (
    <div className="runs-zoom">
      <span className="ui-figures">
        {t('runs.waterfall.zoomed', {
          start: format.duration(zoom.startMs),
          end: format.duration(zoom.endMs),
        })}
      </span>
      <Button size="sm" onClick={onZoomOut}>
        {t('runs.waterfall.zoomOut')}
      </Button>
    </div>
  )
}

function TimeAxis({
  ticks,
  window,
}: {
  readonly ticks: readonly number[]
  readonly window: TimeWindow
}): ReactElement {
  const format = useFormatters()
  return (
    <div className="runs-axis-row" aria-hidden="true">
      <span />
      <svg className="runs-axis" height="18">
        {ticks.map((tick) => {
          const percent = placePercent(tick, window)
          return (
            <text
              key={tick}
              x={`${percent}%`}
              y="13"
              textAnchor={percent < 4 ? 'start' : percent > 94 ? 'end' : 'middle'}
            >
              {isolateText(tick === 0 ? format.number(0) : format.duration(tick))}
            </text>
          )
        })}
      </svg>
      <span />
    </div>
  )
}

function ToneLegend({ waterfall: { rows } }: { readonly waterfall: Waterfall }): ReactElement {
  const t = useT()
  const has = (kind: WaterfallPart['kind']): boolean =>
    rows.some(({ parts }) => parts.some((part) => part.kind === kind))
  const tones = TONES.filter(
    (tone) => rows.some((row) => row.tone === tone) || (tone === 'waiting' && has('waiting')),
  )
  return (
    <ul role="list" className="runs-legend" aria-label={t('runs.waterfall.legend')}>
      {has('model') && (
        <li>
          <LegendBar tone="model" />
          {t('runs.columns.model')}
        </li>
      )}
      {tones.map((tone) => (
        <li key={tone}>
          <ToneIcon tone={tone} />
          <LegendBar tone={tone} />
          {t(`runs.tones.${tone}`)}
        </li>
      ))}
    </ul>
  )
}

function LegendBar({ tone }: { readonly tone: BarTone }): ReactElement {
  return (
    <svg width="28" height="12" aria-hidden="true">
      <WaterfallBar tone={tone} x="0" width="28" height={12} y={0} />
    </svg>
  )
}
