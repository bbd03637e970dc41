import type { SyncView } from '@capstan/protocol'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'
import { useReason } from '../../socket/use-reason.ts'
import { Button } from '../../ui/controls/button.tsx'
import type { Source } from '../source.ts'

/** Says that the sync of a source is on and brings its items back, and switches it off. Draws nothing when none is on. */
export function SyncNote({
  source,
}: {
  readonly source: Source & { readonly app: string }
}): ReactElement | null {
  const t = useT()
  const api = useApi()
  const toReason = useReason()
  const { data, error } = useLoaded('syncs', (signal) => api.syncs({ signal }))
  const [isBusy, setBusy] = useState(false)
  const [isOff, setOff] = useState(false)
  const [problem, setProblem] = useState<string>()
  const on = data?.syncs.filter((sync) => sync.isOn && isOf(sync, source)) ?? []

  async function switchOff(): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      for (const { connectionId } of on) await api.switchSyncOff(connectionId, { forget: false })
      setOff(true)
    } catch (reason) {
      setProblem(toReason(reason))
    }
    setBusy(false)
  }

  if (!data) return error ? <p>{t('memory.forget.returns')}</p> : null
  if (isOff) return <p role="status">{t('memory.forget.isOff')}</p>
  if (on.length === 0) return null
  return (
    <div className="memory-sync-note" role="alert">
      <p>{t('memory.forget.synced')}</p>
      <Button size="sm" busy={isBusy} onClick={() => void switchOff()}>
        {t('memory.forget.switchOff')}
      </Button>
      {problem !== undefined && <p className="memory-problem">{problem}</p>}
    </div>
  )
}

/** Items of an account without a name have the id of its connection. */
const isOf = ({ toolkit, label, connectionId }: SyncView, { app, account }: Source): boolean =>
  toolkit === app && (account === undefined || account === (label.trim() === '' ? connectionId : label))
