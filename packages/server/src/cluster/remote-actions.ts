import { randomUUID } from 'node:crypto'
import type { MessageReceipt } from '@capstan/protocol'
import type { ThreadActions } from '../sessions/thread-actions.ts'
import type { CommandKind } from './commands.ts'
import type { Sender } from './send-command.ts'

/** The actions of a user, carried out by the node that runs the thread. */
export function createRemoteActions(sender: Sender, userId: string): ThreadActions {
  const send = (threadId: string, kind: CommandKind, id: string, body: unknown) =>
    sender.send({ threadId, id, userId, kind, body })
  return {
    // The client's id: a message that is sent to two nodes is one command.
    message: async (threadId, post) =>
      (await send(threadId, 'message', `message ${post.messageId}`, post)) as MessageReceipt,
    startUnattended: async (threadId, post) =>
      (await send(threadId, 'unattended', `message ${post.messageId}`, post)) as MessageReceipt,
    continue: async (threadId, resumeToken) =>
      (await send(threadId, 'continue', `continue ${randomUUID()}`, { resumeToken })) as MessageReceipt,
    stop: async (threadId, runId) => void (await send(threadId, 'stop', `stop ${randomUUID()}`, { runId })),
    remove: async (threadId) => (await send(threadId, 'remove', `remove ${randomUUID()}`, {})) as boolean,
  }
}
