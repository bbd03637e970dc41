import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { isolate } from '../../approvals/approval-buttons.tsx'
import { useReason } from '../../socket/use-reason.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { ItemList } from './item-list.tsx'
import type { ItemSearch } from './use-item-search.ts'

/** What a search found, best first. */
export function FoundItems({
  search: { found, error, reload },
  onChange,
}: {
  readonly search: ItemSearch
  readonly onChange: () => void
}): ReactElement {
  const t = useT()
  const toReason = useReason()
  if (error)
    return <ErrorState onRetry={reload}>{t('memory.items.failed', { reason: toReason(error) })}</ErrorState>
  if (!found) return <Skeleton lines={6} />
  const { hits, query } = found
  const isWeak = hits.length > 0 && hits.every((hit) => hit.isWeak)
  return (
    <>
      {hits.length === 0 ? (
        <div className="memory-none" role="status">
          <p>{t('memory.items.none', { query: isolate(query) })}</p>
          <p>{t('memory.items.noneHint')}</p>
        </div>
      ) : (
        <ItemList
          heading={t('memory.items.found', { count: hits.length })}
          note={isWeak ? t('memory.items.weakOnly') : undefined}
          shown={hits}
          onChange={() => {
            reload()
            onChange()
          }}
        />
      )}
    </>
  )
}
