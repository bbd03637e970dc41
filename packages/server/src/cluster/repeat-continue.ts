import type { Store } from '@capstan/harness/stores'
import type { MessageReceipt, ThreadId } from '@capstan/protocol'
import { ApiError } from '../http/api-error.ts'
import type { OpenCommand } from './commands.ts'

/**
 * Continues a turn. A node that was killed may have done so before it could say it: then the newest turn is the one that
 * continues, and is the answer.
 */
export async function repeatContinue(
  store: Store,
  { threadId, userId, attempts }: OpenCommand,
  work: () => Promise<MessageReceipt>,
): Promise<MessageReceipt> {
  try {
    return await work()
  } catch (error) {
    if (attempts === 0 || !(error instanceof ApiError) || error.code !== 'conflict') throw error
    const [newest] = await store.runs.list({ userId, threadId: threadId as ThreadId, depth: 0, limit: 1 })
    if (!newest) throw error
    return { runId: newest.id }
  }
}
