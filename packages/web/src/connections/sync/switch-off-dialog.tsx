import type { ConnectionRow } from '@capstan/protocol'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useToast } from '../../ui/overlays/toast.tsx'
import { useAccountName } from '../account-row.tsx'
import { AskDialog } from '../ask-dialog.tsx'
import { ForgetChoice } from './forget-choice.tsx'

/** Asks before a sync is switched off, and whether what was synced is kept. */
export function SwitchOffDialog({
  account,
  onDone,
  onClose,
}: {
  readonly account: ConnectionRow
  readonly onDone: () => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const name = useAccountName()(account)
  const [forget, setForget] = useState(false)

  async function switchOff(): Promise<void> {
    await api.switchSyncOff(account.id, { forget })
    toast({ text: t('sync.askOff.done', { account: name }) })
    onDone()
  }

  return (
    <AskDialog
      title={t('sync.askOff.title', { account: name })}
      more={<ForgetChoice account={account} isChosen={forget} onChoose={setForget} />}
      confirm={t('sync.askOff.confirm')}
      onConfirm={switchOff}
      onClose={onClose}
    >
      {t('sync.askOff.text')}
    </AskDialog>
  )
}
