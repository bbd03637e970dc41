import './connections.css'
import type { ToolkitList } from '@capstan/protocol'
import { Plug, Plus, RefreshCw, Search } from 'lucide-react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useLanguage } from '../i18n/use-language.ts'
import { useT } from '../i18n/use-t.ts'
import { useApi, useConnectionState, useServerEvent } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { useReason } from '../socket/use-reason.ts'
import { Button } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { Page } from '../ui/surfaces/page.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { useToast } from '../ui/overlays/toast.tsx'
import { AddServerDialog } from './add-server/add-server-dialog.tsx'
import { ComposioCard } from './composio-card.tsx'
import { ToolkitCard } from './toolkit-card.tsx'
import type { ToolkitFilter } from './toolkit-state.ts'
import { chooseToolkits, countFilters } from './toolkit-state.ts'
import type { Toolkits } from './use-toolkits.ts'
import { useToolkits } from './use-toolkits.ts'

/** Apps with their accounts and what is allowed in each; adding servers, and the key of Composio. */
export function ConnectionsPage(): ReactElement {
  const t = useT()
  const toReason = useReason()
  const toast = useToast()
  const toolkits = useToolkits()
  const connection = useConnectionState()
  const [isAdding, setAdding] = useState(false)
  const [newSlug, setNewSlug] = useState<string>()
  const isOffline = connection === 'offline' || connection === 'signed-out'
  // While the server is away the banner above every page says so.
  const isAway = connection !== 'online'
  const { data, error, isLoading, reload } = toolkits
  const addButton = (
    <Button
      variant="strong"
      icon={<Plus aria-hidden="true" />}
      disabled={isOffline}
      onClick={() => setAdding(true)}
    >
      {t('connections.add')}
    </Button>
  )

  return (
    <Page
      title={t('connections.title')}
      description={t('connections.intro')}
      width="wide"
      actions={data && (data.toolkits.length > 0 || !data.authoritative) ? addButton : undefined}
    >
      {data && !isAway && (!data.authoritative || error) && (
        <div className="connections-banner" role="status">
          <RefreshCw size={18} aria-hidden="true" />
          <div>
            <strong>{t('connections.stale.title')}</strong>
            <p>{t('connections.stale.text')}</p>
          </div>
          <Button size="sm" busy={isLoading} onClick={reload}>
            {t('connections.stale.again')}
          </Button>
        </div>
      )}
      {data && data.toolkits.length > 0 && (
        <Apps list={data} toolkits={toolkits} isOffline={isOffline} newSlug={newSlug} />
      )}
      {/* What could not be asked is not nothing. */}
      {data?.authoritative && data.toolkits.length === 0 && (
        <EmptyState
          icon={<Plug size={20} aria-hidden="true" />}
          title={t('connections.empty.title')}
          actions={addButton}
        >
          {t('connections.empty.text')}
        </EmptyState>
      )}
      {!data && error && !isAway && (
        <ErrorState title={t('connections.loadFailed')} onRetry={reload}>
          {toReason(error)}
        </ErrorState>
      )}
      {!data && (!error || isAway) && <Skeleton lines={9} />}
      {data && <ComposioCard isOffline={isOffline} onChange={reload} />}
      {isAdding && (
        <AddServerDialog
          onAdded={({ slug, name }) => {
            setNewSlug(slug)
            toast({ text: t('connections.addServer.added', { name }) })
            reload()
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  )
}

const FILTERS: readonly ToolkitFilter[] = ['all', 'connected', 'attention', 'available']
/** With Composio there can be hundreds: more of them are drawn when somebody asks. */
const STEP = 60

function Apps({
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
  const format = useFormatters()
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<ToolkitFilter>('all')
  const [shown, setShown] = useState(STEP)
  const [focused, setFocused] = useState(newSlug)
  const servers = useLoaded('mcp-servers', (signal) => api.mcpServers({ signal }))
  useServerEvent('toolkits-change', servers.reload)

  // What was added just now must be seen, whatever was searched for.
  if (newSlug !== focused) {
    setFocused(newSlug)
    setSearch('')
    setFilter('all')
    servers.reload()
  }

  const found = chooseToolkits(list.toolkits, { search, filter, language })
  const counts = countFilters(list.toolkits)
  const visible = found.filter(({ slug }, at) => at < shown || slug === newSlug)

  return (
    <>
      <div className="connections-tools">
        <div className="connections-search">
          <Search size={16} aria-hidden="true" />
          <TextField
            label={t('connections.search')}
            hideLabel
            type="search"
            placeholder={t('connections.search')}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <div className="connections-filters" role="group" aria-label={t('connections.filter')}>
          {FILTERS.map((each) => (
            <button
              key={each}
              type="button"
              className="connections-filter"
              aria-pressed={filter === each}
              onClick={() => setFilter(each)}
            >
              {t(`connections.filters.${each}`)}
              <span className="ui-figures">{format.number(counts[each])}</span>
            </button>
          ))}
        </div>
      </div>
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
