import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Measurement, Task } from './process.ts'

const HELP = `Measures how long a start takes and how much memory waiting turns use, with real turns, files and kills.

npm run measure-resume -- [options]

  --only start|parked
  --threads N      threads in the store (1000)
  --unfinished N   threads that were killed in the middle of a turn (100)
  --runs N         starts to measure (5)
  --parked N       turns that wait for an approval (10000)
  --json           print the numbers as one line of JSON
  --help

Exits with 1 when a start takes 2 s or more, or parked turns use 200 MB or more.
`

const GOALS = { startMs: 2_000, parkedMb: 200 }

interface Numbers {
  /** Time from opening the store until every unfinished turn runs again. */
  readonly start?: { readonly slowestMs: number; readonly medianMs: number; readonly rssMb: number }
  readonly parked?: {
    /** Memory of the process that parked the turns. */
    readonly rssMb: number
    /** Its memory after the first hundred turns. */
    readonly rssBeforeMb: number
    readonly rssAfterRestartMb: number
    readonly restartMs: number
    readonly waiting: number
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      threads: { type: 'string', default: '1000' },
      unfinished: { type: 'string', default: '100' },
      runs: { type: 'string', default: '5' },
      parked: { type: 'string', default: '10000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const { only } = values
  const count = (text: string) => Math.max(1, Math.floor(Number(text)) || 1)
  const folder = await mkdtemp(join(tmpdir(), 'capstan-measure-'))
  try {
    const unfinished = count(values.unfinished)
    const finished = Math.max(0, count(values.threads) - unfinished)
    const numbers: Numbers = {
      ...(only === 'parked'
        ? undefined
        : { start: await measureStart(folder, { finished, unfinished }, count(values.runs)) }),
      ...(only === 'start' ? undefined : { parked: await measureParked(folder, count(values.parked)) }),
    }
    process.stdout.write(values.json ? `${JSON.stringify(numbers)}\n` : toText(numbers))
    const isSlow = (numbers.start?.slowestMs ?? 0) >= GOALS.startMs
    const isBig =
      Math.max(numbers.parked?.rssMb ?? 0, numbers.parked?.rssAfterRestartMb ?? 0) >= GOALS.parkedMb
    return isSlow || isBig ? 1 : 0
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureStart(
  folder: string,
  threads: { readonly finished: number; readonly unfinished: number },
  runs: number,
): Promise<Numbers['start']> {
  const killed = join(folder, 'killed')
  await runProcess(killed, { do: 'leave-open', ...threads }, { kill: true })
  const found: Measurement[] = []
  for (let run = 0; run < runs; run++) {
    const copy = join(folder, `start-${run}`)
    await cp(killed, copy, { recursive: true })
    const one = await runProcess(copy, { do: 'resume', unfinished: threads.unfinished })
    if (one.running !== threads.unfinished) throw new Error(`only ${one.running} turns were resumed`)
    found.push(one)
    await rm(copy, { recursive: true, force: true })
  }
  const times = found.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return {
    slowestMs: round(times.at(-1)!),
    medianMs: round(times[Math.floor(times.length / 2)]!),
    rssMb: round(Math.max(...found.map(({ rssMb }) => rssMb))),
  }
}

async function measureParked(folder: string, turns: number): Promise<Numbers['parked']> {
  const store = join(folder, 'parked')
  const parked = await runProcess(store, { do: 'park', turns })
  const reopened = await runProcess(store, { do: 'reopen' })
  if (parked.waiting !== turns || reopened.waiting !== turns)
    throw new Error(`${parked.waiting} turns waited, and ${reopened.waiting} after the restart`)
  return {
    rssMb: round(parked.rssMb),
    rssBeforeMb: round(parked.rssBeforeMb),
    rssAfterRestartMb: round(reopened.rssMb),
    restartMs: round(reopened.ms),
    waiting: reopened.waiting,
  }
}

/** Runs a process and answers with the line it printed. With `kill` it is killed after that line. */
async function runProcess(folder: string, task: Task, { kill = false } = {}): Promise<Measurement> {
  const program = fileURLToPath(new URL('process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--expose-gc', program, folder, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output: string | undefined
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    output = line
    if (kill) child.kill('SIGKILL')
  })
  await Promise.all([once(child, 'exit'), once(lines, 'close')])
  if (output === undefined) throw new Error(`the process for ${task.do} printed nothing`)
  return JSON.parse(output) as Measurement
}

const round = (number: number): number => Math.round(number * 10) / 10

function toText({ start, parked }: Numbers): string {
  const lines: string[] = []
  if (start) {
    lines.push(
      `start until all turns run     ${start.medianMs} ms, slowest ${start.slowestMs} ms (goal: below ${GOALS.startMs})`,
    )
  }
  if (parked) {
    lines.push(
      `${parked.waiting} parked turns            ${parked.rssMb} MB (goal: below ${GOALS.parkedMb}; the first hundred: ${parked.rssBeforeMb})`,
      `after a restart               ${parked.rssAfterRestartMb} MB, ready after ${parked.restartMs} ms`,
    )
  }
  return `${lines.join('\n')}\n`
}

process.exitCode = await main()
