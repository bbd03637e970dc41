import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'
import { useReason } from '../../socket/use-reason.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'

/** What came in. It is shown as text and never as anything else. */
export function PayloadView({ triggerId }: { readonly triggerId: string }): ReactElement {
  const t = useT()
  const api = useApi()
  const toReason = useReason()
  const { data, error, reload } = useLoaded(`trigger ${triggerId}`, (signal) =>
    api.trigger(triggerId, { signal }),
  )
  if (!data)
    return error ? <ErrorState onRetry={reload}>{toReason(error)}</ErrorState> : <Skeleton lines={3} />
  return (
    <>
      <p className="activity-soft">{t('activity.byOthers')}</p>
      <pre className="activity-payload" dir="auto" tabIndex={0} aria-label={t('activity.list')}>
        {toShown(data.payload)}
      </pre>
    </>
  )
}

/** JSON with its lines and indents; anything else as it is. */
function toShown(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}
