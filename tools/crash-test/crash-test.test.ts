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
import type { Scenario, Start } from './scenario.ts'
import { toText } from './scenario.ts'

const TIMEOUT_MS = 90_000

/** One turn that writes twice and looks once. */
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

/** Killed once at this point, and then left alone. */
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

describe('processes that are killed', () => {
  it('lose nothing and do nothing twice', { timeout: TIMEOUT_MS }, async () => {
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

describe('a harness that is broken on purpose', () => {
  // A write was done, and its process is gone before it could say so.
  const afterWrite = killedAt('tool.after', 1)
  const broken: readonly (readonly [Sabotage, Counted, readonly Start[]])[] = [
    ['forget-intents', 'duplicateWrites', afterWrite],
    ['forget-results', 'unnamedUnknowns', afterWrite],
    ['late-commits', 'eventRepeats', killedAt('emit', 4)],
    ['lost-events', 'eventGaps', afterWrite],
    ['no-resume', 'stuckRuns', afterWrite],
  ]
  it.each(broken)('%s is noticed as %s', { timeout: TIMEOUT_MS }, async (sabotage, count, starts) => {
    const { findings } = await run(1, { scenario: SHORT, starts, sabotage, longestStartMs: 3_000 })
    expect(countFindings(findings)[count]).toBeGreaterThan(0)
  })

  it('has nothing to be noticed when it is whole', { timeout: TIMEOUT_MS }, async () => {
    for (const starts of [afterWrite, killedAt('emit', 4)]) {
      const { findings, kills } = await run(1, { scenario: SHORT, starts })
      expect({ findings, kills }).toEqual({ findings: [], kills: 1 })
    }
  })

  it(
    'ends with 1, the counts as the last line, and how to run the round alone',
    { timeout: TIMEOUT_MS },
    async () => {
      const main = fileURLToPath(new URL('main.ts', import.meta.url))
      const flags = ['--only', '6', '--json', '--sabotage', 'double-events']
      const { code, out, err } = await new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
        execFile(process.execPath, [main, ...flags], (error, stdout, stderr) =>
          resolve({ code: error?.code, out: stdout, err: stderr }),
        )
      })
      expect(code).toBe(1)
      expect(out.trimEnd().split('\n').at(-1)).toMatch(
        /^\{"rounds":1,"lostMessages":0,"duplicateWrites":0,"unnamedUnknowns":0,"stuckRuns":0,"eventGaps":0,"eventRepeats":[1-9]\d*,"invariantBreaks":0\}$/,
      )
      expect(err).toContain('npm run crash-test -- --seed 1 --only 6 --keep')
    },
  )
})

describe('the judge', () => {
  let folder: string
  const scenario = SHORT
  const isCalm = () => judgeRound(folder, scenario).then((findings) => expect(findings).toEqual([]))
  beforeAll(async () => {
    const starts = killedAt('model.part', 3)
    folder = (await run(1, { scenario, starts, keep: true })).folder!
    await isCalm()
  }, TIMEOUT_MS)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** What is found when a file of the round is not what it was. */
  async function judge(name: 'effects' | 'journal', edit: (lines: string[]) => string[], told = scenario) {
    const path = roundFiles(folder)[name]
    const before = readFileSync(path, 'utf8')
    writeFileSync(path, `${edit(before.trimEnd().split('\n')).join('\n')}\n`)
    try {
      const counts = countFindings(await judgeRound(folder, told))
      return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
    } finally {
      writeFileSync(path, before)
    }
  }

  it('sees what was done twice, what was never done, and what nobody asked for', async () => {
    expect(await judge('effects', (lines) => [...lines, lines.at(-1)!])).toEqual({ duplicateWrites: 1 })
    expect(await judge('effects', (lines) => lines.slice(1))).toEqual({ unnamedUnknowns: 1 })
    const stray = JSON.stringify({ tool: 'save', tag: 'x', key: 'run_x/call_x' })
    expect(await judge('effects', (lines) => [...lines, stray])).toEqual({ unnamedUnknowns: 2 })
    await isCalm()
  })

  it('sees a message that was acknowledged and lost', async () => {
    const [first, ...others] = scenario.threads
    const lost = { messageId: 'x', text: 'never said', interjections: [], movesOn: false }
    const more = { threads: [{ ...first!, turns: [...first!.turns, lost] }, ...others] }
    const ack = JSON.stringify({ type: 'ack', id: 'x', runId: 'run_x' })
    const finish = JSON.stringify({ type: 'finish' })
    expect(await judge('journal', (lines) => [...lines, ack, finish], more)).toEqual({
      lostMessages: 1,
      stuckRuns: 1,
      invariantBreaks: 1,
    })
  })

  it('sees events that were not told, told twice, or told otherwise', async () => {
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

  it('sees an answer that is not the one written down', async () => {
    const end = JSON.stringify({ type: 'end', id: 'm1', text: 'something else' })
    expect(await judge('journal', (lines) => [end, ...lines])).toEqual({ invariantBreaks: 1 })
  })

  it('sees a rejection nobody handled, and a round that came to no end', async () => {
    const unhandled = JSON.stringify({ type: 'unhandled', text: 'oops' })
    expect(await judge('journal', (lines) => [unhandled, ...lines])).toEqual({ invariantBreaks: 1 })
    expect(await judge('journal', (lines) => lines.slice(0, -1))).toEqual({ stuckRuns: 1 })
  })

  it('sees a database that was moved aside', async () => {
    const { store } = roundFiles(folder)
    writeFileSync(`${store}/capstan.db`, 'this is no database')
    const findings = await judgeRound(folder, scenario)
    expect(findings.map(({ text }) => text).join()).toContain('the store says: ')
  })
})
