import { compareLedger } from './compare-ledger.ts'
import type { Cost, LedgerComparison } from './compare-ledger.ts'
import { comparePostgres } from './compare-postgres.ts'
import type { PostgresRow } from './compare-postgres.ts'
import type { Lane } from './lanes/lane.ts'
import { openLanes, reasonOf } from './lanes/open-lanes.ts'
import type { Fail } from './lanes/open-lanes.ts'
import { EXTRAS } from './measures/extra.ts'
import type { ExtraName } from './measures/extra.ts'
import type { MeasuredSessions } from './measures/measure-sessions.ts'
import type { AppRequests, MeasuredAppRequests } from './measures/measure-app-requests.ts'
import type { MeasuredConnect } from './measures/measure-connect.ts'
import { SCENARIOS } from './measures/prefix-scenarios.ts'
import type { ScenarioName } from './measures/prefix-scenarios.ts'
import {
  connectsApps,
  installedVersion,
  persistenceOf,
  plainFormOf,
  runsWorkload,
  SUBJECT_NAMES,
  usesPostgres,
} from './subjects/catalog.ts'
import type { Persistence, SubjectName } from './subjects/catalog.ts'
import { WORKLOAD_NAMES } from './workloads.ts'
import type { WorkloadName } from './workloads.ts'

export const MEASURES = [...WORKLOAD_NAMES, 'sessions', 'prefix', 'connect', 'extra'] as const
export type Measure = (typeof MEASURES)[number]

export interface BenchOptions {
  /** Absent: every subject that is installed. */
  readonly subjects?: readonly SubjectName[]
  /** Absent: everything. */
  readonly only?: readonly Measure[]
  readonly rounds?: number
  /** How long each subject runs before anything counts, per workload. */
  readonly warmUpMs?: number
  /** Force a full garbage collection before each round. */
  readonly collect?: boolean
  /** Receives progress, one line at a time. */
  readonly report?: (line: string) => void
}

export interface BenchReport {
  readonly node: string
  readonly versions: Readonly<Record<string, string>>
  readonly rows: readonly Row[]
  /** The cost of an iteration in `loop200`, as a multiple of the cost in `loop10`. */
  readonly growth: Readonly<Record<string, number>>
  /** Absent when Capstan was not measured with its ledger on SQLite. */
  readonly ledger?: LedgerComparison
  /** Subjects on one PostgreSQL server. Empty when Capstan was not measured on it. */
  readonly postgres: Readonly<Record<string, PostgresRow>>
  /** A thousand conversations at once. */
  readonly sessions: Readonly<Record<string, Omit<MeasuredSessions, 'problems'>>>
  readonly prefix: readonly PrefixRow[]
  /** Time from the callback of a sign-in to the next model call that knows the app. Absent when not measured. */
  readonly connect?: Omit<MeasuredConnect, 'problems'>
  /** Bytes of tools per request with fifty connected apps of twenty actions. */
  readonly schemaBytes: Readonly<Record<string, number>>
  /** Model requests of turns with calls in one app. */
  readonly appRequests: MeasuredAppRequests['requests']
  readonly extra: Readonly<Partial<Record<ExtraName, Readonly<Record<string, number>>>>>
  readonly errors: readonly BenchError[]
}

export interface Row {
  readonly workload: WorkloadName
  readonly subject: SubjectName
  readonly persistence: Persistence
  readonly usPerIteration: number
  /** `null` when the floor was not measured. */
  readonly ratioToFloor: number | null
}

export interface PrefixRow {
  readonly scenario: ScenarioName
  readonly subject: string
  readonly retention: number
}

/** A subject did not follow the script. Its number is left out. */
export interface BenchError {
  readonly subject: string
  readonly measure: string
  readonly problems: readonly string[]
}

export const DEFAULT_ROUNDS = 7
const DEFAULT_WARM_UP_MS = 1500
const ROUND_MS = 150

/**
 * Measures every subject in every workload, round by round, so that a busy moment of the machine affects all subjects.
 * Never throws because of a subject.
 */
export async function runBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { only = MEASURES, report = () => {} } = options
  const pace: Pace = {
    rounds: options.rounds ?? DEFAULT_ROUNDS,
    warmUpMs: options.warmUpMs ?? DEFAULT_WARM_UP_MS,
    collectFirst: options.collect ?? false,
  }
  const errors: BenchError[] = []
  const fail = (subject: string, measure: string, problems: readonly string[]): void => {
    errors.push({ subject, measure, problems })
    report(`${subject} failed ${measure}: ${problems.join('; ')}`)
  }
  const { lanes, close } = await openLanes(chooseSubjects(options.subjects, report), fail)
  try {
    const workloads = WORKLOAD_NAMES.filter((name) => only.includes(name))
    const costs = await measureWorkloads(lanes, workloads, pace, fail, report)
    const ledger = compareLedger(costs)
    const sessions = only.includes('sessions') ? await measureAllSessions(lanes, fail, report) : {}
    const prefix = only.includes('prefix') ? await measurePrefixes(lanes, fail) : []
    const apps = only.includes('connect')
      ? await measureApps(lanes, fail, report)
      : { schemaBytes: {}, appRequests: {} }
    const extra = only.includes('extra') ? await measureExtras(lanes, fail, report) : {}
    return {
      node: process.version,
      versions: Object.fromEntries(lanes.map(({ name }) => [name, installedVersion(name) ?? 'unknown'])),
      rows: toRows(costs),
      growth: toGrowth(costs),
      ...(ledger ? { ledger } : undefined),
      postgres: comparePostgres(costs),
      sessions,
      prefix,
      ...apps,
      extra,
      errors,
    }
  } finally {
    await close()
  }
}

interface Pace {
  readonly rounds: number
  readonly warmUpMs: number
  readonly collectFirst: boolean
}

/** One subject in one workload. */
interface Series {
  readonly workload: WorkloadName
  readonly lane: Lane
  readonly samples: number[]
}

function chooseSubjects(
  wanted: readonly SubjectName[] | undefined,
  report: (line: string) => void,
): readonly SubjectName[] {
  const asked = wanted ?? SUBJECT_NAMES
  const installed = asked.filter((name) => installedVersion(name) !== undefined)
  const missing = asked.filter((name) => !installed.includes(name))
  if (missing.length > 0) {
    report(`Not installed and left out: ${missing.join(', ')}. To measure them: npm run bench:install`)
  }
  return installed
}

async function measureWorkloads(
  lanes: readonly Lane[],
  workloads: readonly WorkloadName[],
  { rounds, warmUpMs, collectFirst }: Pace,
  fail: Fail,
  report: (line: string) => void,
): Promise<readonly Cost[]> {
  const series = workloads.flatMap((workload) =>
    lanes
      .filter(({ name }) => runsWorkload(name, workload))
      .map((lane): Series => ({ workload, lane, samples: [] })),
  )
  const failed = new Set<Series>()
  const time = async (one: Series, atLeastMs: number): Promise<void> => {
    const { lane, workload, samples } = one
    if (failed.has(one)) return
    try {
      const { usPerIteration, problems } = await lane.time({ workload, atLeastMs, collectFirst })
      samples.push(usPerIteration)
      if (problems.length === 0) return
      fail(lane.name, workload, problems)
    } catch (error) {
      fail(lane.name, workload, [reasonOf(error)])
    }
    failed.add(one)
  }
  for (const workload of workloads) {
    report(`${workload}: warming up`)
    for (const one of series.filter((each) => each.workload === workload)) await time(one, warmUpMs)
  }
  for (const one of series) one.samples.length = 0
  for (let round = 0; round < rounds && series.length > 0; round++) {
    report(`round ${round + 1} of ${rounds}`)
    // A different subject starts each round, so that none always runs after the same one.
    const first = round % series.length
    for (const one of [...series.slice(first), ...series.slice(0, first)]) await time(one, ROUND_MS)
  }
  return series
    .filter((one) => !failed.has(one))
    .map(({ workload, lane, samples }) => ({ workload, subject: lane.name, usPerIteration: median(samples) }))
}

async function measurePrefixes(lanes: readonly Lane[], fail: Fail): Promise<readonly PrefixRow[]> {
  const rows: PrefixRow[] = []
  for (const scenario of SCENARIOS) {
    for (const lane of lanes.filter(({ name }) => plainFormOf(name) === undefined)) {
      try {
        const measured = await lane.measurePrefix(scenario)
        for (const [subject, { retention, problems }] of Object.entries(measured)) {
          if (problems.length > 0) fail(subject, scenario, problems)
          else rows.push({ scenario, subject, retention: toDigits(retention, 4) })
        }
      } catch (error) {
        fail(lane.name, scenario, [reasonOf(error)])
      }
    }
  }
  return rows
}

async function measureAllSessions(
  lanes: readonly Lane[],
  fail: Fail,
  report: (line: string) => void,
): Promise<BenchReport['sessions']> {
  report('sessions')
  const measured: Record<string, Omit<MeasuredSessions, 'problems'>> = {}
  for (const lane of lanes.filter(({ name }) => !usesPostgres(name))) {
    await attempt(lane.name, 'sessions', fail, async () => {
      const { problems, ...sessions } = await lane.measureSessions()
      if (problems.length === 0) measured[lane.name] = sessions
      return problems
    })
  }
  return measured
}

async function measureApps(
  lanes: readonly Lane[],
  fail: Fail,
  report: (line: string) => void,
): Promise<Pick<BenchReport, 'connect' | 'schemaBytes' | 'appRequests'>> {
  report('connect')
  const schemaBytes: Record<string, number> = {}
  const appRequests: Record<string, readonly AppRequests[]> = {}
  for (const lane of lanes.filter(({ name }) => connectsApps(name))) {
    await attempt(lane.name, 'schema', fail, async () => {
      const { bytes, problems } = await lane.measureSchemaBytes()
      Object.assign(schemaBytes, bytes)
      return problems
    })
    await attempt(lane.name, 'app-requests', fail, async () => {
      const { requests, problems } = await lane.measureAppRequests()
      Object.assign(appRequests, requests)
      return problems
    })
  }
  let connect: BenchReport['connect']
  await attempt('capstan', 'connect', fail, async () => {
    const measured = await lanes.find(({ name }) => name === 'capstan')?.measureConnect()
    if (!measured) return []
    const { problems, ...times } = measured
    if (problems.length === 0) connect = times
    return problems
  })
  return { ...(connect ? { connect } : undefined), schemaBytes, appRequests }
}

/** Reports the problems of a measure, or that it threw. */
async function attempt(
  subject: string,
  measure: string,
  fail: Fail,
  work: () => Promise<readonly string[]>,
): Promise<void> {
  try {
    const problems = await work()
    if (problems.length > 0) fail(subject, measure, problems)
  } catch (error) {
    fail(subject, measure, [reasonOf(error)])
  }
}

async function measureExtras(
  lanes: readonly Lane[],
  fail: Fail,
  report: (line: string) => void,
): Promise<BenchReport['extra']> {
  const measured: Partial<Record<ExtraName, Readonly<Record<string, number>>>> = {}
  if (!lanes.some((lane) => lane.name === 'capstan')) return measured
  for (const extra of EXTRAS) {
    report(`extra: ${extra}`)
    // A new process, so that its peak memory is that of this measure only.
    const {
      lanes: [lane],
      close,
    } = await openLanes(['capstan'], fail)
    try {
      const answer = await lane?.measureExtra(extra)
      if (answer && answer.problems.length > 0) fail('capstan', extra, answer.problems)
      else if (answer) measured[extra] = answer.values
    } catch (error) {
      fail('capstan', extra, [reasonOf(error)])
    } finally {
      await close()
    }
  }
  return measured
}

function toRows(costs: readonly Cost[]): readonly Row[] {
  return costs.map(({ workload, subject, usPerIteration }) => {
    const floor = costs.find((cost) => cost.workload === workload && cost.subject === 'floor')
    return {
      workload,
      subject,
      persistence: persistenceOf(subject),
      usPerIteration: toDigits(usPerIteration, 2),
      ratioToFloor: floor ? toDigits(usPerIteration / floor.usPerIteration, 2) : null,
    }
  })
}

function toGrowth(costs: readonly Cost[]): Readonly<Record<string, number>> {
  const growth: Record<string, number> = {}
  for (const long of costs.filter((cost) => cost.workload === 'loop200')) {
    const short = costs.find((cost) => cost.workload === 'loop10' && cost.subject === long.subject)
    if (short) growth[long.subject] = toDigits(long.usPerIteration / short.usPerIteration, 2)
  }
  return growth
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function toDigits(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
