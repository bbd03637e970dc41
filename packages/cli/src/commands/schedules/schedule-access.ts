import { ConfigurationError } from '@capstan/harness'
import type { SchedulePatch, SchedulePost, SchedulePreview, ScheduleRow } from '@capstan/protocol'
import type { Schedules } from '@capstan/server'
import { openServerApi } from '../../server-access/call-server.ts'
import { findServer } from '../../server-access/server-file.ts'
import type { Shell } from '../../shell/shell.ts'
import { CommandError } from '../../shell/shell.ts'
import { homeOf, openStoreAsOwner, USER_ID } from '../../store-access/open-store.ts'
import { withStore } from '../../store-access/with-store.ts'

export type ScheduleAction = 'pause' | 'resume' | 'run-now'

/** What the commands need, from a server or from the data folder. */
export interface ScheduleAccess {
  list(): Promise<readonly ScheduleRow[]>
  get(id: string): Promise<ScheduleRow>
  preview(when: string, zone: string): Promise<SchedulePreview>
  add(post: SchedulePost): Promise<ScheduleRow>
  change(id: string, patch: SchedulePatch): Promise<ScheduleRow>
  steer(id: string, action: ScheduleAction): Promise<ScheduleRow>
  remove(id: string): Promise<void>
}

/** Uses the running server, or the data folder when there is none. */
export async function withSchedules<T>(
  shell: Shell,
  { home, readOnly }: { readonly home: string | undefined; readonly readOnly: boolean },
  use: (access: ScheduleAccess) => Promise<T>,
): Promise<T> {
  const folder = homeOf(home, shell.env)
  const server = findServer(folder)
  if (server) {
    const call = await openServerApi(folder, server)
    return use({
      list: async () => (await call((api) => api.schedules())).schedules,
      get: (id) => call((api) => api.schedule(id)),
      preview: (when, zone) => call((api) => api.previewSchedule({ when, zone })),
      add: (post) => call((api) => api.addSchedule(post)),
      change: (id, patch) => call((api) => api.changeSchedule(id, patch)),
      steer: (id, action) => call((api) => api.steerSchedule(id, action)),
      remove: (id) => call((api) => api.removeSchedule(id)),
    })
  }
  // Loaded here, because most commands do not need it.
  const { openStoredSchedules } = await import('@capstan/server')
  if (readOnly)
    return withStore(shell, { home, readOnly }, (store) => use(toAccess(openStoredSchedules(store))))
  // A schedule may be the first thing in a data folder.
  const store = openStoreAsOwner(folder, shell.env)
  try {
    return await use(toAccess(openStoredSchedules(store)))
  } finally {
    await store.close()
  }
}

const METHODS = { pause: 'pause', resume: 'resume', 'run-now': 'runNow' } as const

function toAccess(schedules: Schedules): ScheduleAccess {
  const refuse = (error: unknown): never => {
    if (error instanceof ConfigurationError) throw new CommandError(error.message, { class: 'invalid_input' })
    throw error
  }
  return {
    list: () => schedules.list(USER_ID),
    get: async (id) => (await schedules.get(USER_ID, id)) ?? unknown(id),
    preview: async (when, zone) => {
      try {
        return schedules.preview({ when, zone })
      } catch (error) {
        return refuse(error)
      }
    },
    add: (post) => schedules.add(USER_ID, post).catch(refuse),
    change: async (id, patch) => (await schedules.change(USER_ID, id, patch).catch(refuse)) ?? unknown(id),
    async steer(id, action) {
      const receipt = (await schedules[METHODS[action]](USER_ID, id)) ?? unknown(id)
      if (receipt.changed) return receipt.schedule
      throw new CommandError(`This is not possible: the schedule is ${receipt.schedule.status}.`, {
        class: 'conflict',
        next: '"capstan schedules show" shows how it stands.',
      })
    },
    remove: async (id) => void ((await schedules.remove(USER_ID, id)) || unknown(id)),
  }
}

function unknown(id: string): never {
  throw new CommandError(`There is no schedule "${id}".`, {
    class: 'not_found',
    next: '"capstan schedules list" lists those that there are.',
  })
}
