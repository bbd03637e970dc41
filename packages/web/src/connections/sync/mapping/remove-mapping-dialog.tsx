import type { McpServerRow } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useT } from '../../../i18n/use-t.ts'
import { useApi } from '../../../socket/server-context.tsx'
import { useToast } from '../../../ui/overlays/toast.tsx'
import { AskDialog } from '../../ask-dialog.tsx'

/** Asks before a mapping is removed. The person's own syncs with it are switched off, because nothing is left to read. */
export function RemoveMappingDialog({
  server: { slug, name },
  onDone,
  onClose,
}: {
  readonly server: McpServerRow
  readonly onDone: () => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()

  async function remove(): Promise<void> {
    const { syncs } = await api.syncs()
    await api.changeMcpServer(slug, { sync: null })
    for (const { toolkit, isOn, connectionId } of syncs)
      if (toolkit === slug && isOn) await api.switchSyncOff(connectionId, { forget: false })
    toast({ text: t('sync.mapping.remove.done', { name }) })
    onDone()
  }

  return (
    <AskDialog
      title={t('sync.mapping.remove.title', { name })}
      confirm={t('sync.mapping.remove.confirm')}
      onConfirm={remove}
      onClose={onClose}
    >
      {t('sync.mapping.remove.text')}
    </AskDialog>
  )
}
