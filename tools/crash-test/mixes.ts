import type { QueueMode, TurnEvent } from '@capstan/protocol'
import type { ToolRule } from '@capstan/harness'
import { createRandom } from './random.ts'
import type { Scenario, Start } from './scenario.ts'
import { TOOLS } from './scenario.ts'

/** The rules of one start. Where it does not ask, questions of earlier starts stay open all the same. */
export const rulesOf = ({ isFree }: Start): readonly ToolRule[] =>
  isFree ? [] : [{ tool: TOOLS.asked, decision: 'ask' }]

/** Some of the starts run without a rule that asks, as if the person had switched the mode meanwhile. */
export function switchModes(starts: readonly Start[], seed: number, round: number): readonly Start[] {
  const random = createRandom(seed, round, 'modes')
  return starts.map((start) => ({ ...start, isFree: random.chance(0.5) }))
}

/** Whether the person stops this turn while its card is open. */
export const isStoppedWhileParked = (event: TurnEvent): boolean =>
  event.type === 'turn-park' && createRandom(event.threadId, event.seq, 'stop').chance(0.1)

/** What messages become that wait for a running turn: in half of the rounds one turn, else a turn each. */
export const queueModeOf = ({ threads }: Scenario): QueueMode =>
  createRandom(threads[0]?.id ?? '', 'queue').chance(0.5) ? 'collect' : 'one-by-one'
