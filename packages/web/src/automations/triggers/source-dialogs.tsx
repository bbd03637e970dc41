import type { TriggerSource, TriggerSourceCreated } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { ExamplesDialog } from './examples-dialog.tsx'
import { NewSecretDialog } from './new-secret-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { SourceDialog } from './source-dialog.tsx'

export type OpenDialog =
  | { readonly type: 'add' }
  | { readonly type: 'edit' | 'examples' | 'newSecret' | 'remove'; readonly source: TriggerSource }
  | { readonly type: 'secret'; readonly created: TriggerSourceCreated }

/** The dialog that is open. */
export function SourceDialogs({
  dialog,
  onCreated,
  onChanged,
  onClose,
}: {
  readonly dialog: OpenDialog | undefined
  readonly onCreated: (created: TriggerSourceCreated) => void
  readonly onChanged: () => void
  readonly onClose: () => void
}): ReactElement | null {
  switch (dialog?.type) {
    case 'add':
      return <SourceDialog onCreated={onCreated} onClose={onClose} />
    case 'edit':
      return <SourceDialog source={dialog.source} onChanged={onChanged} onClose={onClose} />
    case 'examples':
      return <ExamplesDialog source={dialog.source} onChanged={onChanged} onClose={onClose} />
    case 'newSecret':
      return <NewSecretDialog source={dialog.source} onReplaced={onCreated} onClose={onClose} />
    case 'remove':
      return <RemoveDialog source={dialog.source} onRemoved={onChanged} onClose={onClose} />
    case 'secret':
      return <SecretDialog created={dialog.created} onClose={onClose} />
    case undefined:
      return null
  }
}
