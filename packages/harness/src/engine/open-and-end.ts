import type { AttachmentRef, TurnOutcome } from '@capstan/protocol'
import { describe } from '../failures/classify.ts'
import { prepareUserMessage } from '../context/media.ts'
import type { TurnStart } from '../seams/seams.ts'
import type { UserMessage } from '../turn/message.ts'
import type { Ending, Turn } from './turn.ts'
import { addNotice, append, tell } from './turn.ts'

/** Tells of the start and appends the user's message. An attachment that cannot be taken ends the turn. */
export async function openTurn(turn: Turn): Promise<Ending | undefined> {
  const { input, model, conversation } = turn
  if (input === undefined) {
    await tellStarted(turn, undefined)
    if (turn.notice !== undefined) await addNotice(turn, { text: turn.notice }, 1)
    return undefined
  }
  const prepared = prepareUserMessage(input, model.abilities, conversation.media, turn.limits.media)
  if ('problem' in prepared) {
    await tellStarted(turn, undefined)
    const failure = describe(prepared.class, {
      rule: 'attachment',
      words: {
        cause: `This message cannot be taken: ${prepared.problem}.`,
        next: 'Send it again with a smaller or different attachment.',
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
  await tellStarted(turn, message)
  await append(turn, message)
  return undefined
}

async function tellStarted(turn: Turn, message: UserMessage | undefined): Promise<void> {
  const { run, input, model, messageId } = turn
  const text = turn.asked ?? (input === undefined ? '' : typeof input === 'string' ? input : input.text)
  const attachments = attachmentsOf(input, message)
  const { system, surface } = turn.conversation
  const start: TurnStart = {
    model: model.id,
    text,
    system,
    announced: surface?.announced,
    message,
    messageId,
  }
  await tell(turn, (observer) => observer.turnStarted?.(run, start))
  await run.report({
    type: 'turn-start',
    agent: run.agent,
    depth: run.depth,
    model: model.id,
    text,
    ...(run.parent ? { parent: run.parent } : undefined),
    ...(attachments.length > 0 ? { attachments } : undefined),
  })
}

/** What came with the message, also when it could not be taken. Files that became text have no reference of their own. */
function attachmentsOf(input: Turn['input'], message: UserMessage | undefined): readonly AttachmentRef[] {
  if (typeof input !== 'object') return []
  return (input.attachments ?? []).map(({ mediaType, name }, index) => {
    const part = message?.parts[index + 1] // the first part is what was written
    const ref = part && part.type !== 'text' ? part.ref : undefined
    return {
      mediaType,
      ...(ref === undefined ? undefined : { ref }),
      ...(name === undefined ? undefined : { name }),
    }
  })
}

/**
 * The last word of every turn: observers hear the outcome, then the watchers do. Without an ending something
 * broke on the way; the error is rising past us and the watchers still get a terminal event. So they do when the
 * outcome cannot be recorded, and then it is not the outcome any more: what was not written did not happen.
 */
export async function endTurn(turn: Turn, ended: Ending | undefined): Promise<TurnOutcome> {
  let outcome = toOutcome(turn, ended ?? broken())
  turn.watch.close()
  turn.inbox.close(WHY_NOT_DELIVERED[outcome.type])
  try {
    // What the user reads now is part of the conversation, so the next turn knows what was said.
    if (outcome.type === 'halted' || outcome.type === 'capped') {
      await append(turn, { role: 'assistant', parts: [{ type: 'text', text: outcome.text }] })
    }
    for (const observer of turn.observers) await observer.turnEnded?.(turn.run, outcome)
  } catch (error) {
    outcome = toOutcome(turn, broken())
    throw error
  } finally {
    await turn.run.report({ type: 'turn-end', outcome })
  }
  return outcome
}

function toOutcome({ run, state }: Turn, ending: Ending): TurnOutcome {
  return { ...ending, usage: run.budget.usage, iterations: state.iterations }
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
