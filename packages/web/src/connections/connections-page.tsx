import './connections.css'
import { Plug, Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useConnectionState } from '../socket/server-context.tsx'
import { useRights } from '../socket/me-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { Button } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { Page } from '../ui/surfaces/page.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { useToast } from '../ui/overlays/toast.tsx'
import { AddServerDialog } from './add-server/add-server-dialog.tsx'
import { AppList } from './app-list.tsx'
import { ComposioCard } from './composio-card.tsx'
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
  const canManage = useRights()?.manageServers ?? false
  const isOffline = connection === 'offline' || connection === 'signed-out'
  // While the server cannot be reached, the banner above every page shows it.
  const isAway = connection !== 'online'
  const { data, error, isLoading, reload } = toolkits
  const addButton = canManage ? (
    <Button
      variant="strong"
      icon={<Plus aria-hidden="true" />}
      disabled={isOffline}
      onClick={() => setAdding(true)}
    >
      {t('connections.add')}
    </Button>
  ) : undefined

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
        <AppList list={data} toolkits={toolkits} isOffline={isOffline} newSlug={newSlug} />
      )}
      {/* A list that could not be read is not an empty list. */}
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
      {data && canManage && <ComposioCard isOffline={isOffline} onChange={reload} />}
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
