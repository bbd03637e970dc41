import type { ScheduleRow } from '@capstan/protocol'
import { useT } from '../../i18n/use-t.ts'
import { useThreadUpdates } from '../../runs/use-thread-updates.ts'
import { useApi, useServerEvent } from '../../socket/server-context.tsx'
import type { Loaded } from '../../socket/use-loaded.ts'
import { useLoaded } from '../../socket/use-loaded.ts'
import { useReason } from '../../socket/use-reason.ts'
import { useToast } from '../../ui/overlays/toast.tsx'

export type ScheduleAction = 'run' | 'pause' | 'resume'

export interface Schedules extends Pick<Loaded<readonly ScheduleRow[]>, 'data' | 'error' | 'reload'> {
  /** Says what came of it. Never rejects. */
  readonly steer: (schedule: ScheduleRow, action: ScheduleAction) => Promise<void>
  /** Rejects when it is refused. */
  readonly remove: (schedule: ScheduleRow) => Promise<void>
}

/** The schedules. They are read again when jobs change, and when the thread of a run does. */
export function useSchedules(): Schedules {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const reason = useReason()
  const { data, error, reload } = useLoaded(
    'schedules',
    async (signal) => (await api.schedules({ signal })).schedules,
  )
  useServerEvent('jobs-change', reload)
  useThreadUpdates(reload)
  return {
    data,
    error,
    reload,
    async steer({ id, title }, action) {
      try {
        await api.steerSchedule(id, action === 'run' ? 'run-now' : action)
        toast({ text: t(`schedules.done.${action}`, { title }), stayMs: 3000 })
      } catch (refusal) {
        toast({ text: reason(refusal), tone: 'fail' })
      }
      reload()
    },
    async remove({ id, title }) {
      await api.removeSchedule(id)
      toast({ text: t('schedules.done.delete', { title }) })
      reload()
    },
  }
}
