import type {
  ScheduleList,
  SchedulePatch,
  SchedulePost,
  SchedulePreview,
  ScheduleRow,
} from '@capstan/protocol'
import type { Sender } from './sender.ts'
import { route } from './sender.ts'

interface Options {
  readonly signal?: AbortSignal
}

/** Prompts that are run again and again. */
export interface SchedulesApi {
  schedules(options?: Options): Promise<ScheduleList>
  schedule(scheduleId: string, options?: Options): Promise<ScheduleRow>
  /** Rejects with `invalid` when it is not clear when that is. */
  previewSchedule(
    asked: { readonly when: string; readonly zone?: string },
    options?: Options,
  ): Promise<SchedulePreview>
  addSchedule(post: SchedulePost, options?: Options): Promise<ScheduleRow>
  changeSchedule(scheduleId: string, patch: SchedulePatch, options?: Options): Promise<ScheduleRow>
  removeSchedule(scheduleId: string, options?: Options): Promise<void>
  /** Rejects with `conflict` when its state does not allow it. */
  steerSchedule(
    scheduleId: string,
    action: 'pause' | 'resume' | 'run-now',
    options?: Options,
  ): Promise<ScheduleRow>
}

export function schedulesApi({ json, nothing }: Sender): SchedulesApi {
  return {
    schedules: (given) => json('GET', '/api/schedules', given),
    schedule: (id, given) => json('GET', route`/api/schedules/${id}`, given),
    previewSchedule: (body, given) => json('POST', '/api/schedules/preview', { ...given, body }),
    addSchedule: (body, given) => json('POST', '/api/schedules', { ...given, body }),
    changeSchedule: (id, body, given) => json('PATCH', route`/api/schedules/${id}`, { ...given, body }),
    removeSchedule: (id, given) => nothing('DELETE', route`/api/schedules/${id}`, given),
    steerSchedule: (id, action, given) => json('POST', route`/api/schedules/${id}/${action}`, given),
  }
}
