import { bundleProcess } from '../bundle-process.ts'
import { COUNTED_OF_NODES, countFindings } from '../counts.ts'
import type { Flags } from '../flags.ts'
import { runRounds } from '../run-rounds.ts'
import { toLines } from '../to-lines.ts'
import { startDatabaseServer } from './database-server.ts'
import { startNotes } from './start-notes.ts'
import { DISTURBANCES } from './disturbances.ts'
import type { NodesReport } from './run-nodes-round.ts'
import { runNodesRound } from './run-nodes-round.ts'
import { toChange } from './sabotage-nodes.ts'
import type { Away, Strike, Takeover } from './takeover-times.ts'
import { p95 } from './takeover-times.ts'

/** Within this time another node goes on with 95 of 100 turns, unless it or the database is away, too. */
const GOALS_MS: Readonly<Record<Strike['kind'], number>> = { kill: 2_000, freeze: 20_000 }

/** Several nodes on one database. Each lane of rounds has a database server of its own, which it restarts. */
export async function testNodes(flags: Flags & { readonly nodes: number }): Promise<number> {
  const { seed, keep, nodes, json } = flags
  const startedAt = performance.now()
  const { program, remove } = await bundleProcess('nodes/node-process.ts', toChange(flags.nodeSabotage))
  const lanes = Math.min(flags.jobs, flags.only === undefined ? flags.rounds : 1)
  const servers = await Promise.all(Array.from({ length: lanes }, startDatabaseServer))
  const notes = await startNotes()
  try {
    const reports = await runRounds(flags, (round, lane) =>
      runNodesRound({ seed, round, nodes, program, keep, server: servers[lane]!, notes }),
    )
    process.stderr.write(reports.flatMap(describeSlow).join(''))
    const numbers = toNumbers(reports, nodes)
    const ms = performance.now() - startedAt
    const more = Object.entries(numbers).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`)
    process.stdout.write(
      json
        ? `${JSON.stringify(numbers)}\n`
        : `${toLines(reports, { seed, ms, names: COUNTED_OF_NODES, more: more.slice(-4) }).join('\n')}\n`,
    )
    return reports.some(({ findings }) => findings.length > 0) || isTooSlow(numbers) ? 1 : 0
  } finally {
    await Promise.all([...servers.map((server) => server.close()), notes.close(), remove()])
  }
}

function toNumbers(reports: readonly NodesReport[], nodes: number) {
  const kills = reports.flatMap(({ takeovers }) => takeovers.kill)
  const freezes = reports.flatMap(({ takeovers }) => takeovers.freeze)
  const sum = (number: (report: NodesReport) => number) =>
    reports.reduce((total, one) => total + number(one), 0)
  return {
    rounds: reports.length,
    ...countFindings(
      reports.flatMap(({ findings }) => findings),
      COUNTED_OF_NODES,
    ),
    nodes,
    takeoverMs: {
      kill: toTimes(kills.filter(({ hindrances }) => hindrances.length === 0)),
      hinderedKill: toTimes(kills.filter(({ hindrances }) => hindrances.length > 0)),
      freeze: toTimes(freezes),
    },
    disturbances: Object.fromEntries(
      DISTURBANCES.map((kind) => [kind, sum(({ disturbances }) => disturbances[kind] ?? 0)]),
    ),
    lateEffects: sum(({ lateEffects }) => lateEffects),
  }
}

const isTooSlow = ({ takeoverMs: { kill, freeze } }: ReturnType<typeof toNumbers>): boolean =>
  kill.p95 >= GOALS_MS.kill || freeze.p95 >= GOALS_MS.freeze

function toTimes(takeovers: readonly Takeover[]) {
  const times = takeovers.map(({ ms }) => ms)
  return { count: times.length, p95: p95(times), max: Math.round(Math.max(0, ...times)) }
}

/** A line for each turn that stood still for too long after a kill: where the time went. */
const describeSlow = ({ round, takeovers }: NodesReport): readonly string[] =>
  takeovers.kill
    .filter(({ ms }) => ms >= GOALS_MS.kill)
    .map(({ thread, next, claimedMs = 0, ms, hindrances }) => {
      const times = `claimed after ${Math.round(claimedMs)} ms, went on after ${Math.round(ms)} ms`
      const why = hindrances.length === 0 ? '' : ` (meanwhile: ${hindrances.map(nameAway).join(', ')})`
      return `round ${round}: ${next} took over ${thread}: ${times}${why}\n`
    })

const nameAway = ({ kind, node = 'the database', from, until }: Away): string =>
  kind === 'kill' ? `kill of ${node}` : `${kind} of ${node} for ${until - from} ms`
