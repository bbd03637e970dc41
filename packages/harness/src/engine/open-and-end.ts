import type { AttachmentRef, TurnOutcome } from '@capstan/protocol'
import { describe } from '../failures/classify.ts'
import { ATTACHMENT_ADVICE } from '../failures/wording.ts'
import { hideKnown, hideKnownIn } from '../tool-path/scrub/known-secrets.ts'
import { endsTheTree } from '../turn/errors.ts'
import { noteUserMessage } from '../turn/flow-tracker.ts'
import type { MediaProblem, UserInput } from '../context/media.ts'
import { prepareUserMessage } from '../context/media.ts'
import type { TurnStart } from '../seams/seams.ts'
import type { Posted } from '../turn/message/inbox.ts'
import type { UserMessage } from '../turn/message/message.ts'
import { STOPPED } from './leave-early.ts'
import { announceResultTool } from './structured-output.ts'
import type { Ending, Turn } from './turn.ts'
import { addNotice, append, notifyObservers } from './turn.ts'

/** Appends the user's message and reports the start. A refused attachment ends the turn. */
export async function openTurn(turn: Turn): Promise<Ending | undefined> {
  const { input } = turn
  if (input === undefined) {
    await startTurn(turn)
    if (turn.notice !== undefined) await addNotice(turn, { text: turn.notice }, 1)
    return undefined
  }
  const prepared = await prepare(turn, input)
  if (!prepared) {
    await startTurn(turn)
    return STOPPED
  }
  if ('problem' in prepared) {
    await startTurn(turn)
    const failure = describe(prepared.class, {
      rule: 'attachment',
      detail: { kind: prepared.kind },
      words: {
        cause: `This message cannot be taken: ${prepared.problem}.`,
        next: ATTACHMENT_ADVICE[prepared.kind],
      },
    })
    return { type: 'failed', text: `${failure.cause} ${failure.next}`, failure }
  }
  const message = {
    ...prepared,
    ...(turn.preface === undefined ? undefined : { preface: turn.preface }),
    ...(turn.delivery === undefined ? undefined : { delivery: turn.delivery }),
    ...(turn.queueId === undefined ? undefined : { queueId: turn.queueId }),
  }
  await startTurn(turn, message)
  if (turn.output) await announceResultTool(turn)
  return undefined
}

/** The message of the input. Undefined when the turn is stopped while a document is read. */
async function prepare(
  { model, conversation, limits, run }: Turn,
  input: UserInput,
): Promise<UserMessage | MediaProblem | undefined> {
  try {
    const { signal } = run
    return await prepareUserMessage(input, model.abilities, conversation.media, {
      limits: limits.media,
      signal,
    })
  } catch (error) {
    if (run.signal.aborted) return undefined
    throw error
  }
}

/** Observers get the start and the message before any watcher does, so both can be stored together. */
async function startTurn(turn: Turn, message?: UserMessage): Promise<void> {
  const { run, input, model, messageId, earlier = [] } = turn
  const asked = turn.asked ?? (input === undefined ? '' : typeof input === 'string' ? input : input.text)
  const text = hideKnown([...earlier.map((one) => one.text), asked].join('\n\n'), turn.services.secrets)
  const attachments = attachmentsOf(input, message)
  const messageIds = earlier.length === 0 ? [] : idsOf([...earlier, { id: messageId }])
  const { system, surface } = turn.conversation
  const start: TurnStart = {
    model: model.id,
    text,
    system,
    announced: surface?.announced,
    messageId,
    output: turn.askedOutput,
  }
  await notifyObservers(turn, (observer) => observer.turnStarted?.(run, start))
  for (const waited of earlier) await append(turn, toWaitedMessage(waited))
  if (earlier.length > 0 && !message) noteUserMessage(run.flow, { text, origin: run.origin })
  if (message) {
    // A sub-agent's task was written by a model: those are not the user's words.
    if (run.depth === 0) noteUserMessage(run.flow, { text, origin: run.origin, message })
    await append(turn, message)
  }
  await run.report({
    type: 'turn-start',
    agent: run.agent,
    depth: run.depth,
    model: model.id,
    text,
    ...(turn.missingModel === undefined ? undefined : { missingModel: turn.missingModel }),
    ...(run.parent ? { parent: run.parent } : undefined),
    ...(messageId === undefined ? undefined : { messageId }),
    ...(messageIds.length > 0 ? { messageIds } : undefined),
    ...(attachments.length > 0 ? { attachments } : undefined),
  })
  turn.onStarted?.()
}

const toWaitedMessage = ({ text, id }: Posted): UserMessage => ({
  role: 'user',
  parts: [{ type: 'text', text }],
  delivery: 'follow-up',
  ...(id === undefined ? undefined : { queueId: id }),
})

const idsOf = (messages: readonly { readonly id?: string | undefined }[]): readonly string[] =>
  messages.flatMap(({ id }) => id ?? [])

/** The attachments of the message, also of a refused one. A file that became text has no reference. */
function attachmentsOf(input: Turn['input'], message: UserMessage | undefined): readonly AttachmentRef[] {
  if (typeof input !== 'object') return []
  return (input.attachments ?? []).map(({ mediaType, name }, index) => {
    const part = message?.parts[index + 1] // the first part is the text
    const ref = part && part.type !== 'text' ? part.ref : undefined
    return {
      mediaType,
      ...(ref === undefined ? undefined : { ref }),
      ...(name === undefined ? undefined : { name }),
    }
  })
}

/**
 * Ends a turn: observers get the outcome, then the watchers do. Without an ending, an error is on its way to the caller,
 * and watchers get a failed `turn-end`. They get the same when an observer fails.
 */
export async function endTurn(turn: Turn, ended: Ending | undefined): Promise<TurnOutcome> {
  const outcome = hideInOutcome(toOutcome(turn, ended ?? broken()), turn)
  turn.watch.close()
  turn.inbox.close(WHY_NOT_DELIVERED[outcome.type])
  try {
    // The user reads this text, so it joins the conversation and the next turn knows it.
    if (outcome.type === 'halted' || outcome.type === 'capped') {
      await append(turn, { role: 'assistant', parts: [{ type: 'text', text: outcome.text }] })
    }
    for (const observer of turn.observers) await observer.turnEnded?.(turn.run, outcome)
  } catch (error) {
    // A run that cannot be recorded has no end yet.
    if (!endsTheTree(error)) await turn.run.report({ type: 'turn-end', outcome: toOutcome(turn, broken()) })
    throw error
  }
  await turn.run.report({ type: 'turn-end', outcome })
  return outcome
}

/** The error message of a provider may quote the key. A `done` consists of what was hidden before. */
function hideInOutcome(outcome: TurnOutcome, { services }: Turn): TurnOutcome {
  return outcome.type === 'done' ? outcome : hideKnownIn(outcome, services.secrets)
}

function toOutcome({ run, state }: Turn, ending: Ending): TurnOutcome {
  const openCalls = run.sideEffects.openCalls
  return {
    ...ending,
    usage: run.budget.usage,
    iterations: state.iterations,
    ...(openCalls.length > 0 && { openCalls }),
  }
}

const WHY_NOT_DELIVERED: Readonly<Record<Ending['type'], string>> = {
  done: 'the turn had already ended',
  halted: 'the turn was halted first',
  capped: 'the turn reached its limit first',
  'needs-input': 'the turn ended with a question first',
  failed: 'the turn failed first',
  aborted: 'the turn was stopped first',
}

function broken(): Ending {
  const failure = describe('unknown', { rule: 'broken-turn' })
  return { type: 'failed', text: `${failure.cause} ${failure.next}`, failure }
}
