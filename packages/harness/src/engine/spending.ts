import type { SpendingLimit } from '@capstan/protocol'
import { describe } from '../failures/classify.ts'
import type { Ending, Turn } from './turn.ts'
import { addNotice } from './turn.ts'

/** Ends a turn because the user may spend no more. The model is not asked for closing words: they would cost, too. */
export function endOverspent({ period, unit, limit }: SpendingLimit): Ending {
  const failure = describe('quota_exhausted', {
    rule: 'spending-limit',
    fact: `${limit} ${unit} per ${period}`,
    detail: { kind: `${period}-limit`, unit, limit },
    words: {
      cause: `The limit of ${show(limit, unit)} per ${period} that is set here is used up.`,
      next: `Raise it in the settings under Spending, ask the owner of this installation to do so, or wait for the next ${period}.`,
    },
  })
  return { type: 'failed', text: `${failure.cause} ${failure.next}`, failure }
}

/** Says once, in the turn itself and not in a sub-agent, that most of a limit is used. */
export async function warnOfSpending(turn: Turn, iteration: number): Promise<void> {
  const near = turn.run.depth === 0 ? turn.run.budget.takeWarning() : undefined
  if (!near) return
  const { period, unit, limit, used } = near
  const name = `${show(used, unit)} / ${show(limit, unit)}`
  const text = `The user has spent most of what may be spent this ${period}: ${name}.`
  await addNotice(turn, { text, fact: { kind: `spending-${period}`, name } }, iteration)
}

const show = (amount: number, unit: SpendingLimit['unit']): string =>
  unit === 'usd' ? `${amount.toFixed(2)} USD` : `${Math.round(amount)} tokens`
