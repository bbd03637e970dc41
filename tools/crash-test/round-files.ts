import { join } from 'node:path'
import type { Sabotage } from './sabotage.ts'
import type { Scenario, Start } from './scenario.ts'

/** What lies in the folder of one round. */
export const roundFiles = (folder: string) => ({
  store: join(folder, 'store'),
  effects: join(folder, 'effects.jsonl'),
  journal: join(folder, 'journal.jsonl'),
  errors: join(folder, 'stderr.txt'),
})

/** What a process is told by its parent when it starts. */
export interface Orders {
  readonly folder: string
  readonly scenario: Scenario
  readonly start: Start
  readonly sabotage?: Sabotage
}

/** From the process to its parent, and back. */
export type Word =
  | { readonly type: 'orders'; readonly orders: Orders }
  | { readonly type: 'up' }
  | { readonly type: 'approval'; readonly id: string; readonly tag: string }
  | {
      readonly type: 'answer'
      readonly id: string
      readonly decision: 'allow-once' | 'allow-always' | 'deny'
    }
