import type { MemoryItemRow } from '@capstan/protocol'
import { useId, useRef, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useRefocus } from '../use-refocus.ts'
import { ForgetItems } from './forget-items.tsx'
import type { Forgetting } from './forget-items.tsx'
import { ItemRow } from './item-row.tsx'
import type { ShownItem } from './item-row.tsx'
import { ItemSheet } from './item-sheet.tsx'
import { SelectionBar } from './selection-bar.tsx'

/** Items to select, open and forget. */
export function ItemList({
  heading,
  note,
  actions,
  shown,
  onChange,
}: {
  readonly heading: string
  readonly note?: string | undefined
  readonly actions?: ReactNode
  readonly shown: readonly ShownItem[]
  /** Items were forgotten. */
  readonly onChange: () => void
}): ReactElement {
  const t = useT()
  const id = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<MemoryItemRow>()
  const [forgetting, setForgetting] = useState<Forgetting>()
  const refocus = useRefocus(title)
  const ids = shown.map(({ item }) => item.id)
  // What is not shown any more is not forgotten by surprise.
  const selected = new Set(ids.filter((itemId) => chosen.has(itemId)))

  function select(itemId: string, isSelected: boolean): void {
    const next = new Set(selected)
    if (isSelected) next.add(itemId)
    else next.delete(itemId)
    setChosen(next)
  }

  return (
    <section aria-labelledby={id} className="memory-list">
      <header className="memory-list-head">
        <h2 id={id} ref={title} tabIndex={-1} aria-live="polite">
          {heading}
        </h2>
        {actions !== undefined && <div className="memory-list-actions">{actions}</div>}
      </header>
      {note !== undefined && <p className="memory-note">{note}</p>}
      <SelectionBar
        shown={ids}
        selected={selected}
        onSelect={setChosen}
        onForget={() => setForgetting(toForgetting(shown, selected))}
      />
      <ul role="list" className="memory-items" aria-label={t('memory.items.list')}>
        {shown.map((one) => (
          <ItemRow
            key={one.item.id}
            shown={one}
            isSelected={selected.has(one.item.id)}
            onSelect={(isSelected) => select(one.item.id, isSelected)}
            onOpen={() => setOpen(one.item)}
          />
        ))}
      </ul>
      {open && (
        <ItemSheet
          key={open.id}
          item={open}
          onForget={({ id: itemId, title: name }) =>
            setForgetting({ kind: 'items', ids: [itemId], ...(name.trim() !== '' && { title: name }) })
          }
          onClose={() => setOpen(undefined)}
        />
      )}
      {forgetting && (
        <ForgetItems
          what={forgetting}
          onForgotten={() => {
            refocus()
            setOpen(undefined)
            setChosen(new Set())
            onChange()
          }}
          onClose={() => setForgetting(undefined)}
        />
      )}
    </section>
  )
}

function toForgetting(shown: readonly ShownItem[], selected: ReadonlySet<string>): Forgetting {
  const [only] = shown.filter(({ item }) => selected.has(item.id))
  const title = selected.size === 1 ? only?.item.title.trim() : undefined
  return { kind: 'items', ids: [...selected], ...(title && { title }) }
}
