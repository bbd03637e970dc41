import type { Settings } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { QueueSelect } from '../chat/composer/queue-select.tsx'
import { useT } from '../i18n/use-t.ts'
import { Card } from '../ui/surfaces/card.tsx'
import { useSave } from './use-save.ts'

/** What messages do that are sent while a turn is running, where a conversation has no choice of its own. */
export function QueueSection({ settings }: { readonly settings: Settings }): ReactElement {
  const t = useT()
  const { isSaving, error, save } = useSave()
  return (
    <Card title={t('chat.queue.title')}>
      <QueueSelect
        value={settings.queueMode}
        hint={t('chat.queue.hint')}
        disabled={isSaving}
        onValueChange={(queueMode) => void save({ queueMode })}
      />
      {error !== undefined && (
        <p className="settings-failed" role="alert">
          {error}
        </p>
      )}
    </Card>
  )
}
