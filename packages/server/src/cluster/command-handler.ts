import type { Session } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import type { MessagePost, RunId, WaitsFor } from '@capstan/protocol'
import { ApiError, notFound } from '../http/api-error.ts'
import type { ThreadActions } from '../sessions/thread-actions.ts'
import type { UnattendedPost } from '../unattended/unattended-post.ts'
import { toAnswer, toRefusal } from './command-answer.ts'
import type { Commands, OpenCommand } from './commands.ts'
import { repeatContinue } from './repeat-continue.ts'

/** A command that was begun this often without an answer has ended its nodes. It is not begun again. */
const MAX_ATTEMPTS = 5

/** Does what commands say on the node that runs their threads, and stores the answers. */
export interface CommandHandler {
  /** False when it was left to another node, because this one has lost the thread or is about to stop. */
  carryOut(command: OpenCommand, session: Session, epoch: number): Promise<boolean>
  /** For a thread that is gone. */
  refuseAll(threadId: string): Promise<void>
  /** What a user has asked for and nobody has done is not done any more. */
  refuseAllOf(userId: string): Promise<void>
}

export function createCommandHandler(options: {
  readonly store: Store
  readonly commands: Commands
  readonly actionsOf: (userId: string) => ThreadActions
  readonly noteAnswer: (threadId: string, id: string) => void
}): CommandHandler {
  const { store, commands, actionsOf, noteAnswer } = options

  async function answerWith(
    { threadId, id }: OpenCommand,
    work: () => Promise<unknown>,
    epoch?: number,
  ): Promise<boolean> {
    const answer = await toAnswer(work)
    if (!answer) return false
    await commands.answer(threadId, id, answer, epoch)
    noteAnswer(threadId, id)
    return true
  }

  async function perform(command: OpenCommand, session: Session): Promise<unknown> {
    const { threadId, kind } = command
    if (!command.isIntact) throw notIntact()
    if (command.attempts >= MAX_ATTEMPTS) throw givenUp()
    const actions = actionsOf(command.userId)
    const body = command.body as CommandBody
    switch (kind) {
      case 'message':
        return actions.message(threadId, body as MessagePost)
      case 'unattended':
        return actions.startUnattended(threadId, command.body as UnattendedPost)
      case 'continue':
        return repeatContinue(store, command, () => actions.continue(threadId, body.resumeToken!))
      case 'stop':
        return actions.stop(threadId, body.runId)
      case 'remove':
        return actions.remove(threadId)
      case 'wake':
        // A turn that is parked is resumed by the worker.
        return body.waitsFor && void session.settle(body.waitsFor)
    }
  }

  return {
    carryOut: (command, session, epoch) => answerWith(command, () => perform(command, session), epoch),
    async refuseAllOf(userId) {
      const answer = toRefusal(stopped())
      for (const { threadId, id } of await commands.answerAllOf(userId, answer)) noteAnswer(threadId, id)
    },
    async refuseAll(threadId) {
      for (let command; (command = await commands.begin(threadId));) {
        const { kind, attempts } = command
        await answerWith(command, async () => {
          // A node that was killed may have removed it.
          if (kind === 'remove') return attempts > 0
          if (kind !== 'wake') throw notFound()
          return undefined
        })
      }
    },
  }
}

const stopped = (): ApiError => new ApiError('conflict', 'It was stopped before it began.')

const notIntact = (): ApiError =>
  new ApiError('internal', 'What was stored in the database is not what was asked. Nothing was done.')

const givenUp = (): ApiError =>
  new ApiError(
    'unavailable',
    'This was tried several times, and the server broke down each time. It is not tried again.',
  )

interface CommandBody {
  readonly resumeToken?: string
  readonly runId?: RunId
  readonly waitsFor?: WaitsFor
}
