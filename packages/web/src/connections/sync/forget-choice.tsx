import type { ConnectionRow, MemorySourceRow } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'

/** Whether what was synced of an account is deleted, with its count. Draws nothing when there is nothing to delete. */
export function ForgetChoice({
  account,
  isChosen,
  onChoose,
}: {
  readonly account: ConnectionRow
  readonly isChosen: boolean
  readonly onChoose: (forget: boolean) => void
}): ReactElement | null {
  const t = useT()
  const api = useApi()
  const { data, error } = useLoaded('memory-apps', (signal) => api.memoryApps({ signal }))
  const count = data && countItems(data.apps, account)
  // When it cannot be counted, there may be something.
  if (count === 0 || (count === undefined && !error)) return null
  return (
    <label className="connections-way">
      <input type="checkbox" checked={isChosen} onChange={(event) => onChoose(event.target.checked)} />
      <span>
        {count === undefined ? t('sync.forget.some') : t('sync.forget.count', { number: count })}
        <span className="connections-soft">{t('sync.forget.hint')}</span>
      </span>
    </label>
  )
}

/** Items are kept under the name of the account, or under the id of one without a name. */
function countItems(apps: readonly MemorySourceRow[], { id, label, toolkit }: ConnectionRow): number {
  const name = label.trim() === '' ? id : label
  return apps.find(({ app, account }) => app === toolkit && account === name)?.count ?? 0
}
