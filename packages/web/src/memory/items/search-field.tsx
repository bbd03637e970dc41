import { Search } from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { TextField } from '../../ui/controls/text-field.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'

/** The most characters that the server searches for. */
const MAX_CHARS = 1_000

export function SearchField({
  query,
  isSearching,
  onChange,
}: {
  readonly query: string
  readonly isSearching: boolean
  readonly onChange: (query: string) => void
}): ReactElement {
  const t = useT()
  return (
    <div className="memory-search">
      {isSearching ? <Spinner /> : <Search size={18} aria-hidden="true" />}
      <TextField
        label={t('memory.items.search')}
        hideLabel
        type="search"
        className="memory-words"
        placeholder={t('memory.items.placeholder')}
        value={query}
        maxLength={MAX_CHARS}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
