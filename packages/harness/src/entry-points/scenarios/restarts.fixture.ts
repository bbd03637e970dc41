import type { ThreadId } from '@capstan/protocol'
import { expect } from 'vitest'
import type { Store } from '../../ports/store.ts'
import { checkInvariants } from '../../testing/check-invariants.ts'
import { recordEvents } from '../../testing/record-events.ts'
import type { Step } from '../../testing/scripted-model.ts'
import { ScriptedModel } from '../../testing/scripted-model.ts'
import type { AgentOptions } from '../agent-options.ts'
import { createThreads } from '../threads/threads.ts'
import type { KillableStore } from './killable-store.fixture.ts'
import { killAfterCommit } from './killable-store.fixture.ts'

/** The one thread of these tests. */
export const THREAD = 'thread_1' as ThreadId

/**
 * Starts a process with its own model. It resumes what an earlier process left in the store. It is killed after the
 * given commit, if there is one.
 */
export async function start(
  store: Store,
  steps: readonly Step[],
  more: Partial<AgentOptions> = {},
  commits?: number,
) {
  const model = new ScriptedModel(...steps)
  const events = recordEvents()
  const process: KillableStore = killAfterCommit(store, commits)
  const threads = createThreads({
    store: process.store,
    onEvent: events.onEvent,
    onProblem: (error) => expect.unreachable(String(error)),
    agent: { model, origin: 'web', preface: false, instructions: 'You are a clerk.', ...more },
  })
  await threads.create({ id: THREAD })
  const session = await threads.open(THREAD)
  return { model, events, threads, session, process, kill: () => process.kill() }
}

/** What is wrong with the records of the thread. */
export const sound = (store: Store) => checkInvariants(store, [THREAD])
