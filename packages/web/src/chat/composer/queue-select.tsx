import type { QueueMode } from '@capstan/protocol'
import { QUEUE_MODES } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Select } from '../../ui/controls/select.tsx'

export interface QueueSelectProps {
  readonly value: QueueMode
  readonly onValueChange: (mode: QueueMode) => void
  readonly hideLabel?: boolean
  readonly hint?: string
  readonly disabled?: boolean
}

/** The choice of what messages do that are sent while a turn is running. */
export function QueueSelect(props: QueueSelectProps): ReactElement {
  const t = useT()
  return (
    <Select
      {...props}
      label={t('chat.queue.label')}
      options={QUEUE_MODES.map((mode) => ({ value: mode, label: t(`chat.queue.${mode}`) }))}
    />
  )
}
