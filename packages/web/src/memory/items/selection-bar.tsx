import { Trash2 } from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/controls/button.tsx'

/** Selects all shown items or none, and forgets the selected ones. */
export function SelectionBar({
  shown,
  selected,
  onSelect,
  onForget,
}: {
  readonly shown: readonly string[]
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
  readonly onForget: () => void
}): ReactElement {
  const t = useT()
  const isAll = selected.size === shown.length
  return (
    <div className="memory-selection">
      <label>
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = !isAll && selected.size > 0
          }}
          onChange={() => onSelect(isAll ? new Set() : new Set(shown))}
        />
        {t('memory.items.selectAll')}
      </label>
      <span role="status">{selected.size > 0 && t('memory.items.selected', { number: selected.size })}</span>
      {selected.size > 0 && (
        <>
          <Button size="sm" variant="danger" icon={<Trash2 aria-hidden="true" />} onClick={onForget}>
            {t('memory.forget.action')}
          </Button>
          <Button size="sm" variant="quiet" onClick={() => onSelect(new Set())}>
            {t('memory.items.clear')}
          </Button>
        </>
      )}
    </div>
  )
}
