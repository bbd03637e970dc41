import { ChevronRight } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ToneIcon } from '../run-status.tsx'
import { toTimeTicks } from '../charts/scale.ts'
import { standApart } from '../charts/stand-apart.ts'
import { moveInTree } from './tree-keys.ts'
import { useRowWords } from './use-row-words.ts'
import type { TimeWindow, Tone, Waterfall, WaterfallRow } from './waterfall.ts'
import { openRows, placeBar, windowAround } from './waterfall.ts'
import { WaterfallDetails } from './waterfall-details.tsx'

const MOST_TICKS = 5
const TONES: readonly Tone[] = ['ok', 'running', 'waiting', 'failed', 'held', 'unknown']

/** A run's tree over time: a tree by keyboard and for screen readers, bars for the eye. Time runs left to right. */
export function WaterfallChart({ waterfall }: { readonly waterfall: Waterfall }): ReactElement {
  const t = useT()
  const format = useFormatters()
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
  const tones = TONES.filter((tone) => waterfall.rows.some((row) => row.tone === tone))

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
      {zoom && (
        <div className="runs-zoom">
          <span className="ui-figures">
            {t('runs.waterfall.zoomed', {
              start: format.duration(zoom.startMs),
              end: format.duration(zoom.endMs),
            })}
          </span>
          <Button size="sm" onClick={() => setZoom(undefined)}>
            {t('runs.waterfall.zoomOut')}
          </Button>
        </div>
      )}
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
                {standApart(tick === 0 ? format.number(0) : format.duration(tick))}
              </text>
            )
          })}
        </svg>
        <span />
      </div>
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
          <Row
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
      <ul role="list" className="runs-legend" aria-label={t('runs.waterfall.legend')}>
        {tones.map((tone) => (
          <li key={tone}>
            <ToneIcon tone={tone} />
            <svg width="28" height="12" aria-hidden="true">
              <Bar tone={tone} x="0" width="28" height={12} y={0} />
            </svg>
            {t(`runs.tones.${tone}`)}
          </li>
        ))}
      </ul>
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

function Row({
  row,
  isCurrent,
  isOpen,
  window,
  ticks,
  onChoose,
  onHover,
  onToggle,
  onZoom,
}: {
  readonly row: WaterfallRow
  readonly isCurrent: boolean
  readonly isOpen: boolean
  readonly window: TimeWindow
  readonly ticks: readonly number[]
  readonly onChoose: () => void
  readonly onHover: () => void
  readonly onToggle: () => void
  readonly onZoom: () => void
}): ReactElement {
  const words = useRowWords()(row)
  const place = placeBar(row, window)
  const height = row.kind === 'run' ? 8 : 14
  return (
    // Keys are heard by the tree: the row that has the focus is the current one.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="treeitem"
      className="runs-row"
      data-kind={row.kind}
      style={{ '--level': row.level } as CSSProperties}
      tabIndex={isCurrent ? 0 : -1}
      aria-level={row.level + 1}
      aria-selected={isCurrent}
      aria-expanded={row.hasChildren ? isOpen : undefined}
      onFocus={onChoose}
      onClick={onChoose}
      onDoubleClick={onZoom}
      onPointerEnter={onHover}
    >
      <span className="ui-visually-hidden">{words.sentence}</span>
      <span className="runs-row-name" aria-hidden="true">
        <span
          className="runs-row-mark"
          data-open={isOpen || undefined}
          hidden={!row.hasChildren}
          onClick={onToggle}
          onDoubleClick={(event) => event.stopPropagation()}
        >
          <ChevronRight size={14} aria-hidden="true" />
        </span>
        <ToneIcon tone={row.tone} />
        <bdi className="runs-row-text">{words.name}</bdi>
      </span>
      <svg className="runs-track" height="24" aria-hidden="true">
        {ticks.map((tick) => {
          const x = `${placePercent(tick, window)}%`
          return <line key={tick} className="runs-grid" x1={x} x2={x} y1="0" y2="24" />
        })}
        {place && (
          <Bar
            tone={row.tone}
            x={`${place.startPercent}%`}
            width={`${place.widthPercent}%`}
            y={(24 - height) / 2}
            height={height}
          />
        )}
      </svg>
      <span className="runs-row-time ui-figures" aria-hidden="true">
        {words.duration}
      </span>
    </div>
  )
}

const PATTERNS: { readonly [Name in Tone]?: string } = {
  failed: 'url(#runs-hatch)',
  held: 'url(#runs-stripes)',
  waiting: 'url(#runs-dots)',
}

/** Colour below, pattern above. What took no time is still seen. */
function Bar({
  tone,
  ...place
}: {
  readonly tone: Tone
  readonly x: string
  readonly width: string
  readonly y: number
  readonly height: number
}): ReactElement {
  return (
    <>
      <rect className="runs-bar" data-tone={tone} rx="2" {...place} />
      {PATTERNS[tone] && <rect className="runs-bar-pattern" rx="2" fill={PATTERNS[tone]} {...place} />}
    </>
  )
}

const placePercent = (ms: number, { startMs, endMs }: TimeWindow): number =>
  ((ms - startMs) / Math.max(1, endMs - startMs)) * 100
