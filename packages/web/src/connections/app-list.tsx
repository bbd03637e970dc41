import type { ToolkitList } from '@capstan/protocol'
import { Search } from 'lucide-react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useLanguage } from '../i18n/use-language.ts'
import { useT } from '../i18n/use-t.ts'
import { useApi, useServerEvent } from '../socket/server-context.tsx'
import { useRights } from '../socket/me-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { useSyncs } from './sync/use-syncs.ts'
import { ToolkitCard } from './toolkit-card.tsx'
import type { ToolkitFilter } from './toolkit-state.ts'
import { chooseToolkits, countFilters } from './toolkit-state.ts'
import type { Toolkits } from './use-toolkits.ts'

const FILTERS: readonly ToolkitFilter[] = ['all', 'connected', 'attention', 'available']
/** How many apps are drawn at a time: with Composio there can be hundreds. */
const STEP = 60

/** The apps that fit the search and the filter. */
export function AppList({
  list,
  toolkits,
  isOffline,
  newSlug,
}: {
  readonly list: ToolkitList
  readonly toolkits: Toolkits
  readonly isOffline: boolean
  readonly newSlug: string | undefined
}): ReactElement {
  const t = useT()
  const api = useApi()
  const { language } = useLanguage()
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<ToolkitFilter>('all')
  const [shown, setShown] = useState(STEP)
  const [focused, setFocused] = useState(newSlug)
  const canManage = useRights()?.manageServers ?? false
  const servers = useLoaded(`mcp-servers ${canManage}`, async (signal) =>
    canManage ? api.mcpServers({ signal }) : { servers: [] },
  )
  useServerEvent('toolkits-change', servers.reload)
  const syncs = useSyncs()

  // A new app must be visible, so the search and the filter are reset.
  if (newSlug !== focused) {
    setFocused(newSlug)
    setSearch('')
    setFilter('all')
    servers.reload()
  }

  const found = chooseToolkits(list.toolkits, { search, filter, language })
  const visible = found.filter(({ slug }, at) => at < shown || slug === newSlug)

  return (
    <>
      <AppFilters
        search={search}
        filter={filter}
        counts={countFilters(list.toolkits)}
        onSearch={setSearch}
        onFilter={setFilter}
      />
      <p className="ui-visually-hidden" role="status">
        {t('connections.found', { count: found.length })}
      </p>
      {found.length === 0 ? (
        <EmptyState
          title={t('connections.none.title')}
          actions={
            <Button
              onClick={() => {
                setSearch('')
                setFilter('all')
              }}
            >
              {t('connections.none.reset')}
            </Button>
          }
        >
          {t('connections.none.text')}
        </EmptyState>
      ) : (
        <div className="connections-grid">
          {visible.map((toolkit) => (
            <ToolkitCard
              key={toolkit.slug}
              toolkit={toolkit}
              server={servers.data?.servers.find(({ slug }) => slug === toolkit.slug)}
              onServerChange={servers.reload}
              syncs={syncs}
              isOffline={isOffline}
              isNew={toolkit.slug === newSlug}
              onScopes={(scopes) => toolkits.setScopes(toolkit.slug, scopes)}
              onChange={toolkits.reload}
            />
          ))}
        </div>
      )}
      {found.length > shown && (
        <Button className="connections-more" onClick={() => setShown(shown + STEP)}>
          {t('connections.more')}
        </Button>
      )}
    </>
  )
}

function AppFilters({
  search,
  filter,
  counts,
  onSearch,
  onFilter,
}: {
  readonly search: string
  readonly filter: ToolkitFilter
  readonly counts: Readonly<Record<ToolkitFilter, number>>
  readonly onSearch: (search: string) => void
  readonly onFilter: (filter: ToolkitFilter) => void
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  return (
    <div className="connections-tools">
      <div className="connections-search">
        <Search size={16} aria-hidden="true" />
        <TextField
          label={t('connections.search')}
          hideLabel
          type="search"
          placeholder={t('connections.search')}
          value={search}
          onChange={(event) => onSearch(event.target.value)}
        />
      </div>
      <div className="connections-filters" role="group" aria-label={t('connections.filter')}>
        {FILTERS.map((each) => (
          <button
            key={each}
            type="button"
            className="connections-filter"
            aria-pressed={filter === each}
            onClick={() => onFilter(each)}
          >
            {t(`connections.filters.${each}`)}
            <span className="ui-figures">{format.number(counts[each])}</span>
          </button>
        ))}
      </div>
    </div>
  )
}
