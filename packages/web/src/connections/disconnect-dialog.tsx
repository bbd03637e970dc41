import type { ConnectionRow } from '@capstan/protocol'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useAccountName } from './account-row.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { ForgetChoice } from './sync/forget-choice.tsx'

/** Asks before an account is disconnected, and whether what was synced of it is kept. */
export function DisconnectDialog({
  account,
  name,
  onConfirm,
  onClose,
}: {
  readonly account: ConnectionRow
  readonly name: string
  readonly onConfirm: (forget: boolean) => Promise<void>
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const toAccountName = useAccountName()
  const [forget, setForget] = useState(false)
  return (
    <AskDialog
      title={t('connections.disconnectAsk.title', { account: toAccountName(account) })}
      more={<ForgetChoice account={account} isChosen={forget} onChoose={setForget} />}
      confirm={t('connections.disconnectAsk.confirm')}
      onConfirm={() => onConfirm(forget)}
      onClose={onClose}
    >
      {t('connections.disconnectAsk.text', { name })}
    </AskDialog>
  )
}
