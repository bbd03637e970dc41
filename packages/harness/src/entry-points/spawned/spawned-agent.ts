import type { CallId, WaitsFor } from '@capstan/protocol'
import type { AgentDefinition } from '../../agents/agent-definition.ts'
import type { Turn } from '../../engine/turn.ts'
import type { Inbox } from '../../turn/message/inbox.ts'
import type { JsonObject } from '../../turn/json.ts'
import type { SubAgentResult, SubAgentTask } from '../child-run.ts'

/** The state of a sub-agent that works beside its parent. `SpawnedAgents` is the only place where it changes. */
type SpawnedState =
  | { readonly type: 'running' }
  /** It waits for a person. Only its records are left; `forget` drops what would let it go on. */
  | { readonly type: 'parked'; readonly waits: readonly WaitsFor[]; forget: () => void }
  /** Its report is not in the conversation of its parent yet. */
  | { readonly type: 'ended'; readonly result: SubAgentResult<unknown> }
  | { readonly type: 'reported' }

/** A sub-agent that works beside its parent. */
export interface SpawnedAgent {
  /** The name by which its parent knows it. */
  readonly name: string
  readonly definition: AgentDefinition
  readonly task: SubAgentTask
  /** The arguments its setup is prepared with, if it has one. */
  readonly setup?: JsonObject
  /** The call that started it. */
  readonly callId: CallId
  /** Messages of its parent. */
  readonly inbox: Inbox
  /** Aborted when its parent closes it. Its signal also follows its parent's. */
  readonly closing: AbortController
  readonly signal: AbortSignal
  state: SpawnedState
  /** Its newest turn in this process. */
  turn?: Turn
  /** Why it could not go on. */
  problem?: string
  /** Messages of its parent that it has not read at its end. */
  unread: number
}

export const isOpen = ({ state }: SpawnedAgent): boolean =>
  state.type === 'running' || state.type === 'parked'

/** What its parent is told about it in a list. */
export function describeState({ state }: SpawnedAgent): string {
  switch (state.type) {
    case 'running':
      return 'is working'
    case 'parked':
      return 'waits for the user'
    case 'ended':
      return 'has ended; its report follows'
    case 'reported':
      return 'has ended and reported'
  }
}
