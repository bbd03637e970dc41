import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NotesApp } from '@capstan/notes-app'
import { startApp } from '../app-server.ts'
import type { Finding } from '../counts.ts'
import type { Journal } from '../journal.ts'
import { openJournal } from '../journal.ts'
import { readErrors } from '../judge-round.ts'
import { createRandom } from '../random.ts'
import { roundFiles } from '../round-files.ts'
import type { RoundReport } from '../run-round.ts'
import type { Scenario } from '../scenario.ts'
import { createScenario } from '../scenario.ts'
import { readEffects } from '../services.ts'
import { addNotes } from './add-notes.ts'
import type { Cluster } from './cluster.ts'
import { createCluster } from './cluster.ts'
import type { DatabaseServer, RoundDatabase } from './database-server.ts'
import type { Disturbing } from './disturb.ts'
import { disturb } from './disturb.ts'
import type { Disturbance } from './disturbances.ts'
import { planDisturbances } from './disturbances.ts'
import { createDoor } from './door.ts'
import type { NodeFacts } from './judge-nodes.ts'
import { judgeNodes } from './judge-nodes.ts'
import { judgeNotes } from './judge-notes.ts'
import { createMoments } from './moments.ts'
import type { Moments } from './moments.ts'
import type { Performance, Stage } from './play-round.ts'
import { perform, untilDone, untilSeen } from './play-round.ts'
import { startToolServer } from './tool-server.ts'

/** One round with several nodes. */
export interface NodesRoundOptions {
  readonly seed: number
  readonly round: number
  readonly nodes: number
  readonly program: string
  readonly server: DatabaseServer
  readonly notes: NotesApp
  /** Replaces the scenario of the seed. */
  readonly scenario?: Scenario
  /** Replaces the disturbances of the seed. */
  readonly plan?: readonly Disturbance[]
  readonly keep?: boolean
}

/** The result of a round with several nodes. */
export interface NodesReport extends RoundReport, NodeFacts {
  /** How often each disturbance came. */
  readonly disturbances: Disturbing['counts']
}

/** Lets a person work with several nodes while nodes and database are disturbed, then checks the result. */
export async function runNodesRound(options: NodesRoundOptions): Promise<NodesReport> {
  const { seed, round, keep = false } = options
  const startedAt = performance.now()
  const folder = await mkdtemp(join(tmpdir(), `capstan-crash-nodes-${round}-`))
  const files = roundFiles(folder)
  const database = await options.server.create(`round_${round}`)
  const moments = createMoments()
  const app = await startApp(files.effects)
  const tools = await startToolServer(files.effects, () => moments.count())
  const journal = openJournal(files.journal)
  const random = createRandom(seed, round, 'nodes')
  const cluster = createCluster({
    program: options.program,
    folder,
    errors: files.errors,
    databaseUrlOf: (nodeId) => database.urlOf(nodeId),
    toolUrl: tools.url,
    appUrl: app.url,
    notesUrl: options.notes.mcpUrl,
    maxIterations: random.chance(0.15) ? 3 : 40,
    onFault: (text) => journal.add({ type: 'unhandled', text }),
  })
  try {
    const played = await play(options, { folder, database, moments, journal, cluster })
    await cluster.close()
    await Promise.all([app.stop(), tools.stop()])
    if (keep) await writeFile(join(folder, 'moves.json'), JSON.stringify(await database.readLog()))
    const judged = await judgeNodes(database, {
      scenario: played.scenario,
      strikes: played.disturbing.strikes,
      aways: played.disturbing.aways,
      lines: journal.lines,
      effects: readEffects(files.effects),
    })
    return {
      ...judged,
      findings: [
        ...played.findings,
        ...judged.findings,
        ...judgeNotes(options.notes.pages.list('ada'), round),
      ],
      round,
      kills: played.disturbing.counts.kill ?? 0,
      starts: cluster.started(),
      disturbances: played.disturbing.counts,
      ms: performance.now() - startedAt,
      errors: readErrors(folder),
      ...(keep ? { folder } : undefined),
    }
  } finally {
    await cluster.close()
    await Promise.all([app.stop(), tools.stop()])
    await database.drop()
    if (!keep) await rm(folder, { recursive: true, force: true })
  }
}

interface Parts {
  readonly folder: string
  readonly database: RoundDatabase
  readonly moments: Moments
  readonly journal: Journal
  readonly cluster: Cluster
}

interface Played {
  readonly scenario: Scenario
  readonly disturbing: Disturbing
  readonly findings: readonly Finding[]
}

/** What a node that wakes, or a request on its way, may still do. */
const SETTLE_MS = 300

async function play(
  options: NodesRoundOptions,
  { database, moments, journal, cluster }: Parts,
): Promise<Played> {
  const { seed, round, server, nodes } = options
  await Promise.all(Array.from({ length: nodes }, () => cluster.start()))
  const door = createDoor(cluster.nodes, createRandom(seed, round, 'door'))
  const stage: Stage = { door, journal, moments, database, notesUrl: options.notes.mcpUrl }
  const performed = await perform(options.scenario ?? addNotes(createScenario(seed, round, [2, 4])), stage)
  const over = new AbortController()
  const disturbing = disturb(
    options.plan ?? planDisturbances(seed, round),
    {
      cluster,
      database,
      server,
      moments,
      random: createRandom(seed, round, 'who'),
      onDisturbance(kind, node) {
        journal.add({ type: 'disturbance', kind, at: Date.now(), ...(node !== undefined && { node }) })
        if (node !== undefined && (kind === 'nap' || kind === 'freeze')) leaveHalf(performed, node)
      },
    },
    over.signal,
  )
  const findings: Finding[] = []
  const note = (error: unknown): void =>
    void findings.push({ count: 'stuckRuns', text: error instanceof Error ? error.message : String(error) })
  await performed.done.catch(note)
  over.abort()
  await disturbing.settled().catch(note)
  await sleep(disturbing.strikes.some(({ kind }) => kind === 'freeze') ? SETTLE_MS : 0)
  await untilDone(stage)
  await untilSeen(performed, stage)
  for (const follower of performed.followers) follower.close()
  if (findings.length === 0) journal.add({ type: 'finish' })
  return { scenario: performed.scenario, disturbing, findings }
}

/** Half of those who watch at a silent node go elsewhere. The others wait for it. */
function leaveHalf({ followers }: Performance, nodeId: string): void {
  followers.forEach((follower, n) => {
    if (follower.node() === nodeId && n % 2 === 0) follower.move()
  })
}
