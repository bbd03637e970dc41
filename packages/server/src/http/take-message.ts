import type { Delivery, Session, UserInput } from '@capstan/harness'
import { StoppingError, TurnInProgressError } from '@capstan/harness'
import type { AttachmentPost, MessagePost, MessageReceipt } from '@capstan/protocol'
import { ApiError } from './api-error.ts'
import type { Call } from './route.ts'

/** Takes a message the way its mode says. Settles as soon as it is safe; one that comes twice gets the same answer. */
export function takeMessage(call: Call, threadId: string, post: MessagePost): Promise<MessageReceipt> {
  const { arrivals } = call.services
  const key = `${threadId} ${post.messageId}`
  let receipt = arrivals.get(key)
  if (!receipt) {
    receipt = take(call, threadId, post).finally(() => arrivals.delete(key))
    arrivals.set(key, receipt)
  }
  return receipt
}

async function take(call: Call, threadId: string, post: MessagePost): Promise<MessageReceipt> {
  const { messageId, mode = 'send' } = post
  const session = await call.threads.open(threadId)
  // Before anything is stopped for it: it may have become the very turn that is running.
  const known = await call.assistant.store.runs.findByMessage(session.threadId, messageId)
  if (known) return { runId: known.id }
  if (mode === 'steer' || mode === 'follow-up') return say(call, session, post, mode)
  if (mode === 'interrupt') {
    session.stop()
    await session.idle()
  }
  return send(session, post)
}

async function send(session: Session, post: MessagePost): Promise<MessageReceipt> {
  const { runId } = await refusable(() => session.post(toInput(post), { messageId: post.messageId }))
  return { runId }
}

/** Adds to the turn that is running; without one, it begins one. */
async function say(
  call: Call,
  session: Session,
  post: MessagePost,
  mode: 'steer' | 'follow-up',
): Promise<MessageReceipt> {
  const { text, messageId, attachments = [] } = post
  if (!session.isRunning && (await waits(call, session))) throw busy('The turn waits for an answer.')
  if (session.isRunning && attachments.length > 0)
    throw new ApiError('invalid', 'Attachments can only come with a message that begins a turn.', {
      field: 'attachments',
    })
  const { promise: kept, resolve: onKept } = Promise.withResolvers<void>()
  const options = { id: messageId, onKept }
  const delivery = mode === 'steer' ? session.steer(text, options) : session.followUp(text, options)
  const first = await Promise.race([kept, delivery])
  if (first?.delivered) return {}
  if (first) return send(session, post)
  void delivery.then((fate) => sayAgain(call, session, post, fate)).catch(ignore)
  return {}
}

/** The turn ended before it was heard. It was promised that it would be, unless the user stopped it all. */
async function sayAgain(call: Call, session: Session, post: MessagePost, fate: Delivery): Promise<void> {
  if (fate.delivered) return
  await session.idle()
  const { store } = call.assistant
  const { userId } = call.caller
  const [last] = await store.runs.list({ userId, threadId: session.threadId, depth: 0, limit: 1 })
  if (last?.status !== 'aborted') await send(session, post)
}

async function waits({ assistant, caller }: Call, { threadId }: Session): Promise<boolean> {
  return (await assistant.summarise(caller.userId, threadId))?.activity === 'waiting'
}

/** What a person can do something about is a refusal. */
export async function refusable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TurnInProgressError) throw busy('A turn is running in this thread.')
    if (error instanceof StoppingError)
      throw new ApiError('unavailable', 'The server is about to stop. Send it again in a moment.', {
        retryAfterMs: 2_000,
      })
    throw error
  }
}

const busy = (message: string): ApiError => new ApiError('conflict', message)

function toInput({ text, attachments = [] }: MessagePost): UserInput {
  return attachments.length === 0 ? text : { text, attachments: attachments.map(toAttachment) }
}

const toAttachment = ({ name, mediaType, data }: AttachmentPost) => ({
  name,
  mediaType,
  bytes: new Uint8Array(Buffer.from(data, 'base64')),
})

const ignore = (): void => {}
