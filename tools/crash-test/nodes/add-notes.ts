import { createRandom } from '../random.ts'
import type { Scenario, Step, TurnScript } from '../scenario.ts'
import { NOTES, TOOLS, parsePlan, toText } from '../scenario.ts'

/** Lets some turns write a page into an app behind a sign-in. */
export const addNotes = ({ threads }: Scenario): Scenario => ({
  threads: threads.map((thread) => ({ ...thread, inText: false, turns: thread.turns.map(addNote) })),
})

function addNote(turn: TurnScript): TurnScript {
  const random = createRandom(turn.messageId, 'note')
  const plan = parsePlan(turn.text)
  if (!plan || !random.chance(0.4)) return turn
  const tag = `${turn.messageId}note`
  const step: Step = {
    words: 1,
    calls: [{ tool: TOOLS.callAction, tag, toolkit: NOTES, action: 'create_page' }],
  }
  return {
    ...turn,
    text: toText({ ...plan, steps: plan.steps.toSpliced(random.int(0, plan.steps.length), 0, step) }),
  }
}
