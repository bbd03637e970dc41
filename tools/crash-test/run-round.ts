import { fork } from 'node:child_process'
import { openSync, closeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppServer } from './app-server.ts'
import { startApp } from './app-server.ts'
import type { Finding } from './counts.ts'
import { openJournal } from './journal.ts'
import { checkDatabases, judgeRound, readErrors } from './judge-round.ts'
import { damageLog } from './damage-log.ts'
import type { Random } from './random.ts'
import { createRandom } from './random.ts'
import type { StartRequest, ProcessMessage } from './round-files.ts'
import { roundFiles } from './round-files.ts'
import type { Sabotage } from './sabotage.ts'
import type { Scenario } from './scenario.ts'
import { createScenario, createWaves, decide } from './scenario.ts'
import type { Start } from './starts.ts'
import { addTrouble, createKills, createStarts } from './starts.ts'

/** One round and how to run it. */
export interface RoundOptions {
  readonly seed: number
  readonly round: number
  /** Replaces the scenario of the seed. */
  readonly scenario?: Scenario
  readonly starts?: readonly Start[]
  /** The bundled program to start. */
  readonly program: string
  /** One turn with this many sub-agents that work beside it, instead of the usual mix. */
  readonly agents?: number
  readonly sabotage?: Sabotage
  readonly keep?: boolean
  /** A start that takes longer counts as stuck. */
  readonly longestStartMs?: number
}

/** The result of one round. */
export interface RoundReport {
  readonly round: number
  readonly findings: readonly Finding[]
  /** Starts that ended with SIGKILL. */
  readonly kills: number
  readonly starts: number
  readonly ms: number
  /** Set when the folder was kept. */
  readonly folder?: string
  readonly errors: string
}

const LONGEST_START_MS = 60_000
/** For each sub-agent of a turn with many. */
const LONGEST_AGENT_MS = 1_000

/** Runs one scenario, killed and restarted until it is finished, then checks the result. */
export async function runRound(options: RoundOptions): Promise<RoundReport> {
  const { seed, round, keep = false, agents } = options
  const startedAt = performance.now()
  const folder = await mkdtemp(join(tmpdir(), `capstan-crash-${round}-`))
  const app = await startApp(roundFiles(folder).effects)
  try {
    const scenario =
      options.scenario ??
      (agents === undefined ? createScenario(seed, round) : createWaves(seed, round, agents))
    const { findings, kills, starts } = await runStarts(options, folder, scenario, app)
    await app.stop()
    findings.push(...(await judgeRound(folder, scenario)), ...checkDatabases(folder))
    const errors = readErrors(folder)
    const ms = performance.now() - startedAt
    return { round, findings, kills, starts, ms, errors, ...(keep ? { folder } : undefined) }
  } finally {
    await app.stop()
    if (!keep) await rm(folder, { recursive: true, force: true })
  }
}

async function runStarts(
  { seed, round, program, sabotage, agents, ...options }: RoundOptions,
  folder: string,
  scenario: Scenario,
  app: AppServer,
): Promise<{ readonly findings: Finding[]; readonly kills: number; readonly starts: number }> {
  const { longestStartMs = LONGEST_START_MS + (agents ?? 0) * LONGEST_AGENT_MS } = options
  const plan =
    options.starts ??
    (agents === undefined ? addTrouble(createStarts(seed, round), seed, round) : createKills(seed, round))
  const findings: Finding[] = []
  const files = roundFiles(folder)
  let kills = 0
  let starts = 0
  for (let n = 0; ; n++) {
    const start = plan[Math.min(n, plan.length - 1)]!
    starts++
    app.setAway(start.isAppAway ?? false)
    if (n < plan.length) damage(start, files, createRandom(seed, round, n, 'damage'))
    const request: StartRequest = { folder, scenario, start, appUrl: app.url, ...(sabotage && { sabotage }) }
    const end = await runStart(program, request, longestStartMs)
    if (end.signal === 'SIGKILL' && !end.hung) kills++
    if (end.hung) {
      findings.push({ count: 'stuckRuns', text: `start ${starts} did not end` })
      break
    }
    if (openJournal(files.journal).lines.at(-1)?.type === 'finish') {
      if (end.signal === null && end.code !== 0)
        findings.push({ count: 'invariantBreaks', text: `the process ended with code ${end.code}` })
      break
    }
    if (n >= plan.length + 1) break
  }
  return { findings, kills, starts }
}

function damage({ damage: how }: Start, files: ReturnType<typeof roundFiles>, random: Random): void {
  if (how && damageLog(files.store, how, random)) openJournal(files.journal).add({ type: 'damage', how })
}

interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly hung: boolean
}

function runStart(program: string, request: StartRequest, longestMs: number): Promise<End> {
  const errors = openSync(roundFiles(request.folder).errors, 'a')
  const child = fork(program, [], { stdio: ['ignore', 'ignore', errors, 'ipc'], execArgv: [] })
  closeSync(errors)
  const timers: NodeJS.Timeout[] = []
  const later = (ms: number, task: () => void) => void timers.push(setTimeout(task, ms))
  let hung = false
  later(longestMs, () => {
    hung = true
    child.kill('SIGKILL')
  })
  // Errors are ignored: the process may be gone already.
  const send = (message: ProcessMessage) => void child.send(message, () => {})
  child.on('message', (message: ProcessMessage) => {
    if (message.type === 'up') endLater('up')
    if (message.type === 'approval') {
      const decision = decide(message.tag)
      later(createRandom(message.id).int(0, 5), () => send({ type: 'answer', id: message.id, decision }))
    }
  })
  function endLater(since: 'start' | 'up'): void {
    const { end } = request.start
    if (end?.since === since) later(end.afterMs, () => child.kill(end.signal))
  }
  endLater('start')
  send({ type: 'start', request })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      for (const timer of timers) clearTimeout(timer)
      resolve({ code, signal, hung })
    })
  })
}
