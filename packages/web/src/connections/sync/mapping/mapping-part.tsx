import type { ConnectionRow, McpServerRow, SyncView } from '@capstan/protocol'
import { Suspense, lazy } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../../i18n/use-t.ts'
import { useApi } from '../../../socket/server-context.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { useToast } from '../../../ui/overlays/toast.tsx'
import type { Syncs } from '../use-syncs.ts'

const MappingDialog = lazy(async () => ({
  default: (await import('./mapping-dialog.tsx')).MappingDialog,
}))

/** Sets up how the items of an added server become items in memory, and changes it. */
export function MappingPart({
  account,
  server,
  syncs,
  isOffline,
  isOpen,
  onServerChange,
  onOpen,
  onSaved,
  onClose,
}: {
  readonly account: ConnectionRow
  readonly server: McpServerRow
  readonly syncs: Syncs
  readonly isOffline: boolean
  readonly isOpen: boolean
  readonly onServerChange: () => void
  readonly onOpen: () => void
  /** With the sync that it makes possible, if that could be read. */
  readonly onSaved: (sync: SyncView | undefined) => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()

  /** What a first sync needs is shown next. A sync that is on begins anew by itself. */
  async function goOn(): Promise<void> {
    onServerChange()
    toast({ text: t('sync.mapping.saved') })
    const sync = await api.sync(account.id).catch(() => undefined)
    if (sync) syncs.show(sync)
    else syncs.reload()
    onSaved(sync)
  }

  return (
    <div className="sync-part">
      <div className="mapping-open">
        <Button size="sm" variant="quiet" disabled={isOffline} onClick={onOpen}>
          {server.sync ? t('sync.mapping.change') : t('sync.mapping.open')}
        </Button>
      </div>
      {isOpen && (
        <Suspense>
          <MappingDialog
            server={server}
            onSaved={goOn}
            onRemoved={() => {
              onServerChange()
              syncs.reload()
              onClose()
            }}
            onClose={onClose}
          />
        </Suspense>
      )}
    </div>
  )
}
