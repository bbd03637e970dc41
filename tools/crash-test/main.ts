import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { bundleProcess } from './bundle-process.ts'
import { COUNTED, countFindings } from './counts.ts'
import type { RoundReport } from './run-round.ts'
import { runRound } from './run-round.ts'
import type { Sabotage } from './sabotage.ts'
import { SABOTAGES } from './sabotage.ts'

const HELP = `Kills real processes at random points, restarts them, and checks that nothing was lost or done twice.

npm run crash-test -- [options]

  --rounds N      number of rounds (200)
  --seed S        seed of the random numbers (1)
  --jobs N        rounds at once (2)
  --only R        only the round with this number
  --agents N      one turn with N sub-agents in waves of four, instead of the usual mix
  --keep          keep the folders of the rounds, and print their paths
  --sabotage HOW  break the harness on purpose: ${SABOTAGES.join(', ')}
  --json          print the counts as one line of JSON, as the last line
  --help

Exits with 1 when any count is not 0. A failed round prints how to run it alone.
`

interface Flags {
  readonly rounds: number
  readonly seed: number
  readonly jobs: number
  readonly only: number | undefined
  readonly agents: number | undefined
  readonly keep: boolean
  readonly json: boolean
  readonly sabotage: Sabotage | undefined
}

async function main(): Promise<number> {
  const flags = readFlags()
  if (typeof flags === 'string') {
    const isHelp = flags === HELP
    ;(isHelp ? process.stdout : process.stderr).write(isHelp ? flags : `${flags}\n`)
    return isHelp ? 0 : 2
  }
  const startedAt = performance.now()
  const { program, remove } = await bundleProcess()
  try {
    const reports = await runRounds(flags, program)
    report(reports, flags, performance.now() - startedAt)
    return reports.some(({ findings }) => findings.length > 0) ? 1 : 0
  } finally {
    await remove()
  }
}

/** The flags, or a text to print instead. */
function readFlags(): Flags | string {
  const options = {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    only: { type: 'string' },
    agents: { type: 'string' },
    sabotage: { type: 'string' },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const
  try {
    const { values } = parseArgs({ options })
    if (values.help) return HELP
    const sabotage = SABOTAGES.find((name) => name === values.sabotage)
    if (values.sabotage !== undefined && !sabotage) return `There is no sabotage "${values.sabotage}".`
    return {
      rounds: toNumber('rounds', values.rounds, 1),
      seed: toNumber('seed', values.seed, 0),
      jobs: toNumber('jobs', values.jobs, 1),
      only: values.only === undefined ? undefined : toNumber('only', values.only, 1),
      agents: values.agents === undefined ? undefined : toNumber('agents', values.agents, 1),
      keep: values.keep,
      json: values.json,
      sabotage,
    }
  } catch (error) {
    return `${(error as Error).message}\nSee --help.`
  }
}

function toNumber(name: string, text: string, min: number): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < min)
    throw new Error(`--${name} is a whole number of at least ${min}.`)
  return number
}

async function runRounds(flags: Flags, program: string): Promise<readonly RoundReport[]> {
  const { seed, only, keep, sabotage, agents } = flags
  const options = { ...(sabotage && { sabotage }), ...(agents !== undefined && { agents }) }
  const rounds = only === undefined ? Array.from({ length: flags.rounds }, (_, n) => n + 1) : [only]
  const reports: RoundReport[] = []
  const wanted = rounds.length
  const work = async (): Promise<void> => {
    for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) {
      const done = await runRound({ seed, round, program, keep, ...options })
      reports.push(done)
      printProgress(reports, wanted)
      if (done.findings.length > 0 || keep) printRound(done, flags)
    }
  }
  await Promise.all(Array.from({ length: flags.jobs }, work))
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  return reports
}

function printProgress(reports: readonly RoundReport[], wanted: number): void {
  if (!process.stderr.isTTY) return
  const failed = reports.filter(({ findings }) => findings.length > 0).length
  process.stderr.write(`\r\u001b[K${reports.length} of ${wanted} rounds, ${failed} failed`)
}

function printRound({ round, findings, folder, errors, kills, starts, ms }: RoundReport, flags: Flags): void {
  const lines = [`\nround ${round}: ${starts} starts, ${kills} kills, ${Math.round(ms)} ms`]
  for (const { count, text } of findings.slice(0, MAX_FINDINGS)) lines.push(`  ${count}: ${text}`)
  if (findings.length > MAX_FINDINGS) lines.push(`  and ${findings.length - MAX_FINDINGS} more`)
  if (findings.length > 0 && errors !== '')
    lines.push(
      ...errors
        .split('\n')
        .slice(-8)
        .map((line) => `  | ${line}`),
    )
  if (folder !== undefined) lines.push(`  kept in ${folder}`)
  if (findings.length > 0) {
    const sabotage = flags.sabotage ? ` --sabotage ${flags.sabotage}` : ''
    const agents = flags.agents === undefined ? '' : ` --agents ${flags.agents}`
    lines.push(
      `  alone: npm run crash-test -- --seed ${flags.seed} --only ${round}${agents} --keep${sabotage}`,
    )
  }
  process.stderr.write(`${lines.join('\n')}\n`)
}

const MAX_FINDINGS = 12

function report(reports: readonly RoundReport[], { json, seed }: Flags, ms: number): void {
  const counts = countFindings(reports.flatMap(({ findings }) => findings))
  if (json) {
    process.stdout.write(`${JSON.stringify({ rounds: reports.length, ...counts })}\n`)
    return
  }
  const sum = (number: (report: RoundReport) => number) =>
    reports.reduce((total, one) => total + number(one), 0)
  const failed = reports.filter(({ findings }) => findings.length > 0).map(({ round }) => round)
  const lines = [
    `${reports.length} rounds of seed ${seed}: ${sum(({ starts }) => starts)} starts, ` +
      `${sum(({ kills }) => kills)} kills, ${(ms / 1000).toFixed(1)} s`,
    ...COUNTED.map((name) => `  ${name.padEnd(16)} ${counts[name]}`),
    failed.length === 0
      ? 'Nothing was lost and nothing was done twice.'
      : `Failed: rounds ${failed.join(', ')}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

process.exitCode = await main()
