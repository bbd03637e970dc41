import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleProcess } from './bundle-process.ts'
import type { RoundOptions } from './run-round.ts'
import { runRound } from './run-round.ts'
import type { PlannedCall, Scenario } from './scenario.ts'
import type { Start } from './starts.ts'
import { decide, toText, TOOLS } from './scenario.ts'

const TIMEOUT_MS = 90_000

const CALM: Start = { faults: [], answers: 'at-once', awayEvery: 0, repeats: false }

const turn = (...calls: readonly PlannedCall[]): Scenario => ({
  threads: [
    {
      id: 't1',
      inText: false,
      turns: [
        {
          messageId: 'm1',
          interjections: [],
          movesOn: false,
          text: toText({ tag: 'm1', steps: calls.map((call) => ({ words: 1, calls: [call] })) }),
        },
      ],
    },
  ],
})

/** A tag whose question is answered with no. */
function refusedTag(): string {
  for (let n = 1; ; n++) if (decide(`no${n}`) === 'deny') return `no${n}`
}

let program: string
let remove = async () => {}
beforeAll(async () => {
  ;({ program, remove } = await bundleProcess())
}, TIMEOUT_MS)
afterAll(() => remove())

const findingsOf = async (more: Partial<RoundOptions>) =>
  (await runRound({ seed: 1, round: 1, program, ...more })).findings.map(({ text }) => text)

describe('a question that is open while the mode is switched', { timeout: TIMEOUT_MS }, () => {
  const asked: PlannedCall = { tool: TOOLS.asked, tag: refusedTag() }
  const helped: PlannedCall = {
    tool: 'delegate_to_worker1',
    tag: 'd1',
    plan: {
      tag: 'd1',
      steps: [
        { words: 1, calls: [{ tool: TOOLS.write, tag: 'w1' }] },
        { words: 1, calls: [asked] },
      ],
    },
  }
  const starts: readonly Start[] = [
    { ...CALM, answers: 'later' },
    { ...CALM, isFree: true },
  ]

  it.each([
    ['the turn itself', turn(asked)],
    ['a sub-agent', turn(helped)],
  ])('is refused: nothing runs, asked by %s', async (_, scenario) => {
    expect(await findingsOf({ scenario, starts })).toEqual([])
  })

  it('is noticed when the harness forgets it', async () => {
    const found = await findingsOf({ scenario: turn(asked), starts, sabotage: 'forget-questions' })
    expect(found.join('\n')).toContain('was done, and its question')
  })
})
