import { join } from 'node:path'
import type { Sabotage } from './sabotage.ts'
import type { Scenario } from './scenario.ts'
import type { Start } from './starts.ts'

/** The files in the folder of one round. */
export const roundFiles = (folder: string) => ({
  store: join(folder, 'store'),
  effects: join(folder, 'effects.jsonl'),
  journal: join(folder, 'journal.jsonl'),
  errors: join(folder, 'stderr.txt'),
})

/** What the parent asks of a process at its start. */
export interface StartRequest {
  readonly folder: string
  readonly scenario: Scenario
  readonly start: Start
  /** The address of the app. */
  readonly appUrl: string
  readonly sabotage?: Sabotage
}

/** Messages between the process and its parent. */
export type ProcessMessage =
  | { readonly type: 'start'; readonly request: StartRequest }
  | { readonly type: 'up' }
  | { readonly type: 'approval'; readonly id: string; readonly tag: string }
  | {
      readonly type: 'answer'
      readonly id: string
      readonly decision: 'allow-once' | 'allow-always' | 'deny'
    }
