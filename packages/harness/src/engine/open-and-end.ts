import { describe } from '../failures/classify.ts'
import { prepareUserMessage } from '../context/media.ts'
import type { Ending, Turn } from './turn.ts'
import { append } from './turn.ts'

/** Reports the start and appends the user's message. An attachment that cannot be taken ends the turn. */
export async function openTurn(turn: Turn): Promise<Ending | undefined> {
  const { run, input, model, conversation } = turn
  await run.report({
    type: 'turn-start',
    agent: run.agent,
    depth: run.depth,
    model: model.id,
    text: input === undefined ? '' : typeof input === 'string' ? input : input.text,
    ...(run.parent ? { parent: run.parent } : undefined),
  })
  if (input === undefined) {
    for (const observer of turn.observers) await observer.turnStarted?.(run, undefined)
    return undefined
  }
  const prepared = prepareUserMessage(input, model.abilities, conversation.media, turn.limits.media)
  if ('problem' in prepared) {
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
  }
  for (const observer of turn.observers) await observer.turnStarted?.(run, message)
  await append(turn, message)
  return undefined
}

/**
 * The last word of every turn: observers hear the outcome, then the watchers do. Without an ending something
 * broke on the way; the error is rising past us and the watchers still get a terminal event.
 */
export async function endTurn(turn: Turn, ended: Ending | undefined): Promise<Ending> {
  const ending = ended ?? broken()
  // What the user reads now is part of the conversation, so the next turn knows what was said.
  if (ending.type === 'halted' || ending.type === 'capped') {
    await append(turn, { role: 'assistant', parts: [{ type: 'text', text: ending.text }] })
  }
  const outcome = { ...ending, usage: turn.run.budget.usage, iterations: turn.tally.iterations }
  turn.inbox.close(WHY_NOT_DELIVERED[ending.type])
  try {
    for (const observer of turn.observers) await observer.turnEnded?.(turn.run, outcome)
  } finally {
    await turn.run.report({ type: 'turn-end', outcome })
  }
  return ending
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
