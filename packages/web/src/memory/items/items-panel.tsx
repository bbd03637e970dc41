import type { MemorySourceRow } from '@capstan/protocol'
import { Bookmark } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Link } from '../../routing/router.tsx'
import { useApi } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'
import { useReason } from '../../socket/use-reason.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import type { Source } from '../source.ts'
import { countOf } from '../source.ts'
import { useMemoryChange } from '../use-memory-change.ts'
import { useRefocus } from '../use-refocus.ts'
import { FoundItems } from './found-items.tsx'
import { ListedItems } from './listed-items.tsx'
import { SearchField } from './search-field.tsx'
import { SourceFilter } from './source-filter.tsx'
import { useItemSearch } from './use-item-search.ts'

/** What was read from apps: searched, or listed by app. */
export function ItemsPanel(): ReactElement {
  const t = useT()
  const api = useApi()
  const toReason = useReason()
  const sources = useLoaded('memory apps', (signal) => api.memoryApps({ signal }))
  useMemoryChange(sources)
  const { data, error, reload } = sources
  const panel = useRef<HTMLDivElement>(null)
  const refocus = useRefocus(panel)
  if (!data)
    return error ? (
      <ErrorState title={t('memory.items.loadFailed')} onRetry={reload}>
        {toReason(error)}
      </ErrorState>
    ) : (
      <Skeleton lines={8} />
    )
  return (
    <div className="memory-panel" ref={panel} tabIndex={-1}>
      {data.apps.length === 0 ? (
        <NoItems />
      ) : (
        <Items
          rows={data.apps}
          onChange={() => {
            refocus()
            reload()
          }}
        />
      )}
    </div>
  )
}

function Items({
  rows,
  onChange,
}: {
  readonly rows: readonly MemorySourceRow[]
  readonly onChange: () => void
}): ReactElement {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<Source>({})
  // The last item of the source may have been forgotten.
  const source = countOf(rows, chosen) > 0 ? chosen : {}
  const search = useItemSearch(query, source)
  const isSearch = query.trim() !== ''
  return (
    <>
      <SearchField query={query} isSearching={search.isSearching} onChange={setQuery} />
      <SourceFilter rows={rows} source={source} onChange={setChosen} />
      {isSearch ? (
        <FoundItems search={search} onChange={onChange} />
      ) : (
        <ListedItems source={source} count={countOf(rows, source)} onChange={onChange} />
      )}
    </>
  )
}

function NoItems(): ReactElement {
  const t = useT()
  return (
    <EmptyState
      icon={<Bookmark size={20} aria-hidden="true" />}
      title={t('memory.empty.title')}
      actions={
        <Link className="ui-button" data-variant="strong" to="/connections">
          {t('memory.empty.action')}
        </Link>
      }
    >
      <p>{t('memory.empty.text')}</p>
      <p>
        <code>capstan memory import --jsonl notes.jsonl</code>
      </p>
    </EmptyState>
  )
}
