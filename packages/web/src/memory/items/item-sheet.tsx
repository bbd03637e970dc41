import type { MemoryItemRow } from '@capstan/protocol'
import { Trash2, X } from 'lucide-react'
import { useId } from 'react'
import type { ReactElement } from 'react'
import { ApiError } from '@capstan/client'
import { isolate } from '../../approvals/approval-buttons.tsx'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'
import { useReason } from '../../socket/use-reason.ts'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Modal } from '../../ui/overlays/modal.tsx'
import { Time } from '../../ui/text/time.tsx'
import { useMemoryChange } from '../use-memory-change.ts'
import { AppLink, AppName } from './item-facts.tsx'

/** One item with its whole text, beside the list. The text is never more than text. */
export function ItemSheet({
  item: listed,
  onForget,
  onClose,
}: {
  /** As the list knows it, with a cut text. */
  readonly item: MemoryItemRow
  readonly onForget: (item: MemoryItemRow) => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toReason = useReason()
  const id = useId()
  const loaded = useLoaded(`memory item ${listed.id}`, (signal) => api.memoryItem(listed.id, { signal }))
  useMemoryChange(loaded)
  const { data, error, reload } = loaded
  const isGone = error instanceof ApiError && error.code === 'not_found'
  const item = data ?? listed

  return (
    <Modal open onClose={onClose} className="ui-sheet ui-sheet-end memory-sheet" labelledBy={id}>
      <div className="memory-sheet-inside">
        <header className="memory-sheet-head">
          <h2 id={id} dir="auto">
            {item.title.trim() === '' ? t('memory.items.untitled') : item.title}
          </h2>
          <IconButton label={t('ui.close')} size="sm" onClick={onClose}>
            <X aria-hidden="true" />
          </IconButton>
        </header>
        {isGone ? (
          <p role="status">{t('memory.items.gone')}</p>
        ) : (
          <>
            <ItemFacts item={item} />
            <div className="memory-sheet-actions">
              <AppLink {...item} />
              <Button
                size="sm"
                variant="danger"
                icon={<Trash2 aria-hidden="true" />}
                onClick={() => onForget(item)}
              >
                {t('memory.forget.action')}
              </Button>
            </div>
            {data ? (
              <div className="memory-sheet-text" dir="auto">
                {data.text.trim() === '' ? t('memory.items.noText') : data.text}
              </div>
            ) : error ? (
              <ErrorState title={t('memory.items.loadFailed')} onRetry={reload}>
                {toReason(error)}
              </ErrorState>
            ) : (
              <Skeleton lines={6} />
            )}
          </>
        )}
      </div>
    </Modal>
  )
}

function ItemFacts({ item }: { readonly item: MemoryItemRow }): ReactElement {
  const t = useT()
  const format = useFormatters()
  return (
    <dl className="memory-facts-list">
      <dt>{t('memory.items.from')}</dt>
      <dd>
        <AppName {...item} />
      </dd>
      <dt>{t('memory.items.date')}</dt>
      <dd>
        <Time at={item.at} form="date-time" />
      </dd>
      {item.people.length > 0 && (
        <>
          <dt>{t('memory.items.people')}</dt>
          <dd>{format.list(item.people.map(isolate))}</dd>
        </>
      )}
      <dt>{t('memory.items.seen')}</dt>
      <dd>
        <Time at={item.seenAt} />
      </dd>
    </dl>
  )
}
