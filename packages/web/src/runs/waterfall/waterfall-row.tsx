import { ChevronRight } from 'lucide-react'
import type { CSSProperties, ReactElement } from 'react'
import { ToneIcon } from '../run-status.tsx'
import { useRowWords } from './use-row-words.ts'
import type { TimeWindow, WaterfallRow as Row } from './waterfall.ts'
import { placeBar, placePercent } from './waterfall.ts'
import { WaterfallBar } from './waterfall-bar.tsx'

/** One line of the tree: its name, its bar, its duration. */
export function WaterfallRow({
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
  readonly row: Row
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
    // The tree handles keys: the row that has the focus is the current one.
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
          <WaterfallBar
            tone={row.kind === 'run' && row.parts.length > 0 ? 'whole' : row.tone}
            x={`${place.startPercent}%`}
            width={`${place.widthPercent}%`}
            y={(24 - height) / 2}
            height={height}
          />
        )}
        {row.parts.map((part) => {
          const where = placeBar(part, window)
          return (
            where && (
              <WaterfallBar
                key={`${part.kind} ${part.startMs}`}
                tone={part.kind}
                x={`${where.startPercent}%`}
                width={`${where.widthPercent}%`}
                y={(24 - height) / 2}
                height={height}
              />
            )
          )
        })}
      </svg>
      <span className="runs-row-time ui-figures" aria-hidden="true">
        {words.duration}
      </span>
    </div>
  )
}
