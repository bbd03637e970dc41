import { describe, expect, it } from 'vitest'
import { COUNTED_OF_PROCESS, countFindings } from '../counts.ts'
import type { Counted } from '../counts.ts'
import type { UnattendedPlan, UnattendedStep } from './plan-round.ts'
import { bundleUnattended, runUnattendedRound } from './run-unattended-round.ts'
import type { UnattendedSabotage } from './sabotage-unattended.ts'

const TIMEOUT_MS = 180_000
const MINUTE = 60_000

/** What happens in one start that is not killed, after one that was set up and killed. */
const createPlan = (steps: readonly UnattendedStep[]): UnattendedPlan => ({
  beginsAt: Date.parse('2027-03-13T20:00:00Z'),
  setUp: {
    schedules: [
      {
        name: 's0',
        when: 'every 15 minutes',
        zone: 'America/New_York',
        misfire: 'once',
        prompt: 'Look around, then WRITE it down.',
      },
    ],
    kinds: ['generic'],
    apps: ['changes', 'list'],
    pages: 200,
  },
  pageSize: 4,
  items: 6,
  steps,
  starts: [{ faults: [], signal: 'SIGTERM' }],
})

const PLAN = createPlan([
  {
    type: 'hook',
    occurrence: { n: 1, kind: 'generic', label: 'react', trouble: 'none', isHostile: false },
    copies: 2,
  },
  { type: 'quarter', lateMs: MINUTE },
  { type: 'edit', app: 'list', writes: [1, 2, 50], removals: 1 },
  { type: 'settle' },
])

async function run(plan: UnattendedPlan | undefined, sabotage?: UnattendedSabotage) {
  const { program, remove } = await bundleUnattended(sabotage)
  try {
    const report = await runUnattendedRound({ seed: 7, round: 1, program, ...(plan && { plan }) })
    return { ...report, counts: countFindings(report.findings, COUNTED_OF_PROCESS) }
  } finally {
    await remove()
  }
}

describe('work without a person that is killed', { timeout: TIMEOUT_MS }, () => {
  it('loses nothing and does nothing twice', async () => {
    const { findings, kills } = await run(undefined)
    expect(findings).toEqual([])
    expect(kills).toBeGreaterThan(1)
  })

  it.each<[UnattendedSabotage | undefined, Counted | undefined]>([
    [undefined, undefined],
    ['same-items-again', 'itemsRepeated'],
    ['trigger-dedup', 'triggersDoubled'],
    ['unattended-writes', 'effectsWithoutPerson'],
  ])('with the sabotage %s is counted as %s', async (sabotage, count) => {
    const { counts } = await run(PLAN, sabotage)
    const found = Object.entries(counts).flatMap(([name, number]) => (number > 0 ? [name] : []))
    expect(found).toEqual(count === undefined ? [] : expect.arrayContaining([count]))
  })
})
