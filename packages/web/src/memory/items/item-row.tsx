import type { MarkedText, MemoryItemRow } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { isolate } from '../../approvals/approval-buttons.tsx'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Time } from '../../ui/text/time.tsx'
import { AppLink, AppName } from './item-facts.tsx'
import { MarkedLine } from './marked-line.tsx'

/** An item as a list shows it: with what was searched for marked, or with the beginning of its text. */
export interface ShownItem {
  readonly item: MemoryItemRow
  readonly title: readonly MarkedText[]
  readonly excerpt: readonly MarkedText[]
  readonly isWeak: boolean
}

const MAX_NAMES = 4

export function ItemRow({
  shown: { item, title, excerpt, isWeak },
  isSelected,
  onSelect,
  onOpen,
}: {
  readonly shown: ShownItem
  readonly isSelected: boolean
  readonly onSelect: (isSelected: boolean) => void
  readonly onOpen: () => void
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  const name = item.title.trim() === '' ? t('memory.items.untitled') : item.title
  return (
    <li className="memory-item" data-weak={isWeak || undefined}>
      <input
        type="checkbox"
        aria-label={t('memory.items.select', { title: isolate(name) })}
        checked={isSelected}
        onChange={(event) => onSelect(event.target.checked)}
      />
      <div className="memory-item-inside">
        <p className="memory-item-head">
          <button type="button" className="memory-item-title" dir="auto" onClick={onOpen}>
            {item.title.trim() === '' ? name : <MarkedLine parts={title} />}
          </button>
          {isWeak && <Badge tone="warn">{t('memory.items.weak')}</Badge>}
        </p>
        {excerpt.length > 0 && (
          <p className="memory-item-text" dir="auto">
            <MarkedLine parts={excerpt} />
          </p>
        )}
        <p className="memory-item-facts">
          <span>
            <AppName {...item} />
          </span>
          <Time at={item.at} form="date" />
          {item.people.length > 0 && (
            <bdi>
              {format.list(item.people.slice(0, MAX_NAMES).map(isolate))}
              {item.people.length > MAX_NAMES && '…'}
            </bdi>
          )}
          <AppLink {...item} />
        </p>
      </div>
    </li>
  )
}
