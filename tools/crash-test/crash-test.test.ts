import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleProcess } from './bundle-process.ts'
import type { Counted } from './counts.ts'
import { countFindings } from './counts.ts'
import { judgeRound } from './judge-round.ts'
import { roundFiles } from './round-files.ts'
import type { RoundOptions, RoundReport } from './run-round.ts'
import { runRound } from './run-round.ts'
import type { Sabotage } from './sabotage.ts'
import { createScenario } from './scenario.ts'

const TIMEOUT_MS = 60_000
/** Short ones of seed 1, with kills in them. */
const SHORT = 6
const SHORTEST = 3

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
    const left = [4, 6, 8, 9, 12, 13, 16, 18]
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
  const broken: readonly (readonly [Sabotage, number, Counted])[] = [
    ['forget-intents', SHORT, 'unnamedUnknowns'],
    ['forget-results', SHORT, 'invariantBreaks'],
    ['late-commits', SHORT, 'eventRepeats'],
    ['lost-events', SHORT, 'eventGaps'],
    ['no-resume', SHORTEST, 'stuckRuns'],
  ]
  it.concurrent.each(broken)('%s is noticed', { timeout: TIMEOUT_MS }, async (sabotage, round, count) => {
    const { findings } = await run(round, { sabotage, longestStartMs: 3_000 })
    expect(countFindings(findings)[count]).toBeGreaterThan(0)
  })

  it(
    'ends with 1, the counts as the last line, and how to run the round alone',
    { timeout: TIMEOUT_MS },
    async () => {
      const main = fileURLToPath(new URL('main.ts', import.meta.url))
      const flags = ['--only', String(SHORT), '--json', '--sabotage', 'double-events']
      const { code, out, err } = await new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
        execFile(process.execPath, [main, ...flags], (error, stdout, stderr) =>
          resolve({ code: error?.code, out: stdout, err: stderr }),
        )
      })
      expect(code).toBe(1)
      expect(out.trimEnd().split('\n').at(-1)).toMatch(
        /^\{"rounds":1,"lostMessages":0,"duplicateWrites":0,"unnamedUnknowns":0,"stuckRuns":0,"eventGaps":0,"eventRepeats":[1-9]\d*,"invariantBreaks":0\}$/,
      )
      expect(err).toContain(`npm run crash-test -- --seed 1 --only ${SHORT} --keep`)
    },
  )
})

describe('the judge', () => {
  let folder: string
  const scenario = createScenario(1, SHORT)
  const isCalm = () => judgeRound(folder, scenario).then((findings) => expect(findings).toEqual([]))
  beforeAll(async () => {
    folder = (await run(SHORT, { keep: true })).folder!
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
