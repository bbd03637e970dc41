import type { ConnectionRow, SyncView } from '@capstan/protocol'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useToast } from '../../ui/overlays/toast.tsx'
import { useAccountName } from '../account-row.tsx'
import { AskDialog } from '../ask-dialog.tsx'
import { readLimits, toDraft } from './limits-draft.ts'
import { LimitsFields } from './limits-fields.tsx'

/** Changes the limits of a sync that is on. */
export function LimitsDialog({
  account,
  sync,
  onDone,
  onClose,
}: {
  readonly account: ConnectionRow
  readonly sync: SyncView
  readonly onDone: (sync: SyncView) => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const toAccountName = useAccountName()
  const [draft, setDraft] = useState(() => toDraft(sync.settings))
  const limits = readLimits(draft)

  async function save(): Promise<void> {
    if (!limits) return
    onDone(await api.switchSyncOn(account.id, limits))
    toast({ text: t('sync.limits.saved') })
  }

  return (
    <AskDialog
      title={t('sync.limits.titleOf', { account: toAccountName(account) })}
      more={<LimitsFields draft={draft} onChange={setDraft} />}
      confirm={t('sync.limits.save')}
      variant="strong"
      isDisabled={!limits}
      onConfirm={save}
      onClose={onClose}
    >
      {t('sync.askOn.text')}
    </AskDialog>
  )
}
