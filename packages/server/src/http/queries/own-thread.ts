import type { RunRow, ThreadRow, ThreadSummary } from '@capstan/protocol'
import type { RunId } from '@capstan/protocol'
import { notFound } from '../api-error.ts'
import type { Call } from '../route.ts'

/** The caller's thread. Throws `not_found` for any other id. */
export async function ownThread({ threads }: Call, id: string): Promise<ThreadRow> {
  const thread = await threads.get(id)
  if (!thread) throw notFound()
  return thread
}

/** The same with its activity. */
export async function ownSummary({ assistant, caller }: Call, id: string): Promise<ThreadSummary> {
  const summary = await assistant.summarise(caller.userId, id)
  if (!summary) throw notFound()
  return summary
}

/** The caller's run. Throws `not_found` for any other id. */
export async function ownRun(call: Call, id: RunId): Promise<RunRow> {
  const run = await call.assistant.store.runs.get(id)
  if (!run || !(await call.threads.get(run.threadId))) throw notFound()
  return run
}
