import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { isolate } from '../../approvals/approval-buttons.tsx'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useReason } from '../../socket/use-reason.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import type { Source } from '../source.ts'
import { keyOf } from '../source.ts'
import { ForgetItems } from './forget-items.tsx'
import { ItemList } from './item-list.tsx'
import { useItems } from './use-items.ts'

/** The items of a source, newest first, page by page; exporting and forgetting all of it. */
export function ListedItems({
  source,
  count,
  onChange,
}: {
  readonly source: Source
  readonly count: number
  readonly onChange: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toReason = useReason()
  const items = useItems(source)
  const { data, error, reload } = items
  const [isForgetting, setForgetting] = useState(false)
  const { app } = source

  const actions = (
    <>
      <a
        className="ui-button"
        data-variant="plain"
        data-size="sm"
        href={api.memoryExportUrl(source)}
        title={t('memory.items.exportHint')}
        download
      >
        <Download aria-hidden="true" />
        {t('memory.items.export')}
      </a>
      {app !== undefined && (
        <Button
          size="sm"
          variant="danger"
          icon={<Trash2 aria-hidden="true" />}
          onClick={() => setForgetting(true)}
        >
          {t('memory.forget.app', { app: isolate(source.account ?? app) })}
        </Button>
      )}
    </>
  )

  return (
    <>
      {data ? (
        <ItemList
          key={keyOf(source)}
          heading={t('memory.items.count', { count })}
          actions={actions}
          shown={data.items.map((item) => ({
            item,
            title: [{ text: item.title, isMatch: false }],
            excerpt: item.text === '' ? [] : [{ text: item.text, isMatch: false }],
            isWeak: false,
          }))}
          onChange={() => {
            reload()
            onChange()
          }}
        />
      ) : error ? (
        <ErrorState title={t('memory.items.loadFailed')} onRetry={reload}>
          {toReason(error)}
        </ErrorState>
      ) : (
        <Skeleton lines={8} />
      )}
      {items.moreError !== undefined && (
        <p className="memory-problem" role="alert">
          {toReason(items.moreError)}
        </p>
      )}
      {data?.hasMore && (
        <Button className="memory-more" busy={items.isLoadingMore} onClick={items.loadMore}>
          {t('memory.items.more')}
        </Button>
      )}
      {isForgetting && app !== undefined && (
        <ForgetItems
          what={{ kind: 'source', source: { ...source, app }, count }}
          onForgotten={onChange}
          onClose={() => setForgetting(false)}
        />
      )}
    </>
  )
}
