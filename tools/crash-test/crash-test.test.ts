import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FaultPoint } from '@capstan/harness/testing'
import { bundleProcess } from './bundle-process.ts'
import type { Counted } from './counts.ts'
import { countFindings } from './counts.ts'
import { judgeRound } from './judge-round.ts'
import { roundFiles } from './round-files.ts'
import type { RoundOptions, RoundReport } from './run-round.ts'
import { runRound } from './run-round.ts'
import type { Sabotage } from './sabotage.ts'
import type { Scenario } from './scenario.ts'
import type { Start } from './starts.ts'
import { toText } from './scenario.ts'

/** A busy machine is slow, and not wrong. */
const TIMEOUT_MS = 300_000
/** Nobody goes on with its turn, so such a start never ends by itself. */
const HANGING_MS = 10_000

/** One turn that writes twice and reads once. */
const SHORT: Scenario = {
  threads: [
    {
      id: 't1',
      inText: false,
      turns: [
        {
          messageId: 'm1',
          interjections: [],
          movesOn: false,
          text: toText({
            tag: 'm1',
            steps: ['save', 'pay', 'look'].map((tool) => ({ words: 2, calls: [{ tool, tag: `${tool}1` }] })),
          }),
        },
      ],
    },
  ],
}

/** One start that is killed at this point, and one that is not. */
function killedAt(point: FaultPoint, at: number): readonly Start[] {
  const calm: Start = { faults: [], answers: 'at-once', awayEvery: 0, repeats: false }
  return [{ ...calm, faults: [{ point, at, action: 'kill-after' }] }, calm]
}

let program: string
let remove = async () => {}
beforeAll(async () => {
  ;({ program, remove } = await bundleProcess())
}, TIMEOUT_MS)
afterAll(() => remove())

const run = (round: number, more: Partial<RoundOptions> = {}): Promise<RoundReport> =>
  runRound({ seed: 1, round, program, ...more })

describe('killed processes', () => {
  it('lose nothing and run nothing twice', { timeout: TIMEOUT_MS }, async () => {
    const left = [1, 2, 3, 4, 5, 6, 7, 8]
    const reports: RoundReport[] = []
    const work = async () => {
      for (let round = left.shift(); round !== undefined; round = left.shift()) reports.push(await run(round))
    }
    await Promise.all([work(), work()])
    expect(reports.flatMap(({ round, findings }) => findings.map((one) => ({ round, ...one })))).toEqual([])
    expect(reports.reduce((kills, report) => kills + report.kills, 0)).toBeGreaterThan(5)
  })
})

describe('a sabotaged harness', () => {
  // Killed after a write ran and before its result was stored.
  const afterWrite = killedAt('tool.after', 1)
  const broken: readonly (readonly [Sabotage, Counted, readonly Start[]])[] = [
    ['forget-intents', 'duplicateWrites', afterWrite],
    ['forget-results', 'unnamedUnknowns', afterWrite],
    ['late-commits', 'eventRepeats', killedAt('emit', 4)],
    ['lost-events', 'eventGaps', afterWrite],
    ['no-resume', 'stuckRuns', afterWrite],
  ]
  it.each(broken)(
    'sabotage %s is counted as %s',
    { timeout: TIMEOUT_MS },
    async (sabotage, count, starts) => {
      const hangs = sabotage === 'no-resume' && { longestStartMs: HANGING_MS }
      const { findings, kills } = await run(1, { scenario: SHORT, starts, sabotage, ...hangs })
      expect(kills).toBe(1)
      expect(countFindings(findings)[count]).toBeGreaterThan(0)
    },
  )

  it('has no findings without sabotage', { timeout: TIMEOUT_MS }, async () => {
    for (const starts of [afterWrite, killedAt('emit', 4)]) {
      const { findings, kills } = await run(1, { scenario: SHORT, starts })
      expect({ findings, kills }).toEqual({ findings: [], kills: 1 })
    }
  })

  it(
    'exits with 1, prints the counts last, and prints how to run the round alone',
    { timeout: TIMEOUT_MS },
    async () => {
      const main = fileURLToPath(new URL('main.ts', import.meta.url))
      const flags = ['--only', '2', '--json', '--sabotage', 'double-events']
      const { code, out, err } = await new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
        execFile(process.execPath, [main, ...flags], (error, stdout, stderr) =>
          resolve({ code: error?.code, out: stdout, err: stderr }),
        )
      })
      expect(code).toBe(1)
      expect(out.trimEnd().split('\n').at(-1)).toMatch(
        /^\{"rounds":1,"lostMessages":0,"duplicateWrites":0,"unnamedUnknowns":0,"stuckRuns":0,"eventGaps":0,"eventRepeats":[1-9]\d*,"invariantBreaks":0,"itemsLost":0,"itemsRepeated":0,"itemsStale":0,"triggersLost":0,"triggersDoubled":0,"firingsMissed":0,"firingsDoubled":0,"effectsWithoutPerson":0\}$/,
      )
      expect(err).toContain('npm run crash-test -- --seed 1 --only 2 --keep')
    },
  )
})

describe('judgeRound', () => {
  let folder: string
  const scenario = SHORT
  const expectNoFindings = () => judgeRound(folder, scenario).then((findings) => expect(findings).toEqual([]))
  beforeAll(async () => {
    const starts = killedAt('model.part', 3)
    folder = (await run(1, { scenario, starts, keep: true })).folder!
    await expectNoFindings()
  }, TIMEOUT_MS)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** The counts after a file of the round was changed. */
  async function judge(
    name: 'effects' | 'journal',
    edit: (lines: string[]) => string[],
    expected = scenario,
  ) {
    const path = roundFiles(folder)[name]
    const before = readFileSync(path, 'utf8')
    writeFileSync(path, `${edit(before.trimEnd().split('\n')).join('\n')}\n`)
    try {
      const counts = countFindings(await judgeRound(folder, expected))
      return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
    } finally {
      writeFileSync(path, before)
    }
  }

  it('finds effects that ran twice, never ran, or were never requested', async () => {
    expect(await judge('effects', (lines) => [...lines, lines.at(-1)!])).toEqual({ duplicateWrites: 1 })
    expect(await judge('effects', (lines) => lines.slice(1))).toEqual({ unnamedUnknowns: 1 })
    const stray = JSON.stringify({ tool: 'save', tag: 'x', key: 'run_x/call_x' })
    expect(await judge('effects', (lines) => [...lines, stray])).toEqual({ unnamedUnknowns: 2 })
    await expectNoFindings()
  })

  it('finds a message that was acknowledged and lost', async () => {
    const [first, ...others] = scenario.threads
    const lost = { messageId: 'x', text: 'never sent', interjections: [], movesOn: false }
    const more = { threads: [{ ...first!, turns: [...first!.turns, lost] }, ...others] }
    const ack = JSON.stringify({ type: 'ack', id: 'x', runId: 'run_x' })
    const finish = JSON.stringify({ type: 'finish' })
    expect(await judge('journal', (lines) => [...lines, ack, finish], more)).toEqual({
      lostMessages: 1,
      stuckRuns: 1,
      invariantBreaks: 1,
    })
  })

  it('finds events that were missing, repeated or changed', async () => {
    const at = (lines: string[]) => lines.findIndex((line) => line.includes('"turn-start"'))
    expect(await judge('journal', (lines) => lines.toSpliced(at(lines), 1))).toEqual({ eventGaps: 1 })
    expect(
      await judge('journal', (lines) => lines.map((line) => line.replace('"depth":0', '"depth":1'))),
    ).toEqual({
      eventRepeats: expect.any(Number),
    })
    const repeat = (line: string) => line.replace('{"type":"event"', '{"type":"repeat","last":9')
    expect(await judge('journal', (lines) => lines.toSpliced(1, 0, repeat(lines[at(lines)]!)))).toEqual({
      eventRepeats: 1,
    })
  })

  it('finds an answer that differs from the stored outcome', async () => {
    const end = JSON.stringify({ type: 'end', id: 'm1', text: 'something else' })
    expect(await judge('journal', (lines) => [end, ...lines])).toEqual({ invariantBreaks: 1 })
  })

  it('finds an unhandled rejection, and a round that did not finish', async () => {
    const unhandled = JSON.stringify({ type: 'unhandled', text: 'oops' })
    expect(await judge('journal', (lines) => [unhandled, ...lines])).toEqual({ invariantBreaks: 1 })
    expect(await judge('journal', (lines) => lines.slice(0, -1))).toEqual({ stuckRuns: 1 })
  })

  it('finds a database that was moved aside', async () => {
    const { store } = roundFiles(folder)
    writeFileSync(`${store}/capstan.db`, 'this is not a database')
    const findings = await judgeRound(folder, scenario)
    expect(findings.map(({ text }) => text).join()).toContain('store notice: ')
  })
})
