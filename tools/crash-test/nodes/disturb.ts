import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.ts'
import type { Cluster } from './cluster.ts'
import type { DatabaseServer, RoundDatabase } from './database-server.ts'
import type { Disturbance } from './disturbances.ts'
import type { Moments } from './moments.ts'
import type { RunningNode } from './node.ts'
import type { Away, Strike } from './takeover-times.ts'

/** What is disturbed. */
export interface Disturbed {
  readonly cluster: Cluster
  readonly database: RoundDatabase
  readonly server: DatabaseServer
  readonly moments: Moments
  readonly random: Random
  /** Called for everything that happens; without a node, to the database. `wake`: the node is back. */
  readonly onDisturbance: (kind: Disturbance['kind'] | 'wake', nodeId?: string) => void
}

/** What has happened, and what has to be waited for: nodes that come back. */
export interface Disturbing {
  readonly strikes: readonly Strike[]
  /** When a node or the database could not work. */
  readonly aways: readonly Away[]
  /** How often each kind came. */
  readonly counts: Readonly<Partial<Record<Disturbance['kind'], number>>>
  /** Settles when every node that was to come back is back. */
  readonly settled: () => Promise<void>
}

/** Carries out the plan, until `signal`: then what has not begun is left out. */
export function disturb(plan: readonly Disturbance[], disturbed: Disturbed, signal: AbortSignal): Disturbing {
  const strikes: Strike[] = []
  const aways: Away[] = []
  const counts: Partial<Record<Disturbance['kind'], number>> = {}
  const returning: Promise<unknown>[] = []

  async function run(): Promise<void> {
    for (const one of plan) {
      await disturbed.moments.reach(one.after, signal)
      if (signal.aborted) return
      await sleep(one.delayMs)
      const isDone = await strike(one, disturbed, { strikes, aways, returning })
      if (isDone) counts[one.kind] = (counts[one.kind] ?? 0) + 1
    }
  }
  const running = run()
  // Awaited when the round is over.
  running.catch(() => {})
  returning.push(running)
  return {
    strikes,
    aways,
    counts,
    async settled() {
      for (let n = 0; n < returning.length; n++) await returning[n]
    },
  }
}

/** What `strike` adds to. */
interface Noted {
  readonly strikes: Strike[]
  readonly aways: Away[]
  readonly returning: Promise<unknown>[]
}

/** Notes the beginning. The result notes the end. */
function noteAway(aways: Away[], what: Pick<Away, 'kind' | 'node'>): () => void {
  const from = Date.now()
  const index = aways.push({ ...what, from, until: Infinity }) - 1
  return () => void (aways[index] = { ...what, from, until: Date.now() })
}

/** False when there is no node that may be disturbed: one always works. */
async function strike(
  one: Disturbance,
  disturbed: Disturbed,
  { strikes, aways, returning }: Noted,
): Promise<boolean> {
  const { server, database, cluster } = disturbed
  if (one.kind === 'restart' || one.kind === 'crash') {
    disturbed.onDisturbance(one.kind)
    const isBack = noteAway(aways, { kind: one.kind })
    await server.restart(one.kind === 'restart' ? 'fast' : 'immediate')
    isBack()
    return true
  }
  const node = await chooseNode(one, disturbed)
  if (!node) return false
  disturbed.onDisturbance(one.kind, node.id)
  if (one.kind === 'cut') {
    await database.cut(node.id)
    return true
  }
  if (one.kind === 'nap' || one.kind === 'freeze') {
    if (one.kind === 'freeze') strikes.push({ kind: 'freeze', node: node.id, at: Date.now() })
    const isBack = noteAway(aways, { kind: one.kind, node: node.id })
    node.freeze()
    returning.push(wakeLater(node, one, disturbed).then(isBack))
    return true
  }
  if (one.kind === 'kill') {
    strikes.push({ kind: 'kill', node: node.id, at: Date.now() })
    noteAway(aways, { kind: 'kill', node: node.id })()
  }
  const gone = cluster.end(node, one.kind === 'kill' ? 'SIGKILL' : 'SIGTERM')
  const replaced = gone.then(() => replaceLater(node, one, cluster))
  // Awaited when the round is over.
  replaced.catch(() => {})
  returning.push(replaced)
  return true
}

async function chooseNode(
  { isOwner }: Disturbance,
  { cluster, database, random }: Disturbed,
): Promise<RunningNode | undefined> {
  const up = cluster.nodes().filter((node) => node.state() === 'up')
  if (up.length < 2) return undefined
  const owners = isOwner
    ? await database.query<{ owner: string }>('SELECT owner FROM threads WHERE owner IS NOT NULL')
    : []
  const working = up.filter((node) => owners.some(({ owner }) => owner === node.id))
  return random.pick(working.length > 0 ? working : up)
}

/** Below this number of nodes, another one is started. */
const FEWEST = 2

async function replaceLater(
  node: RunningNode,
  { awayMs, keepsName }: Disturbance,
  cluster: Cluster,
): Promise<void> {
  if (cluster.nodes().length >= FEWEST && !keepsName) return
  await sleep(awayMs)
  await cluster.start(keepsName ? node.id : undefined)
}

/** The others take a node that is silent for 15 seconds for dead. */
const LONGEST_FREEZE_MS = 24_000
const AFTER_TAKEOVER_MS = 300

async function wakeLater(
  node: RunningNode,
  one: Disturbance,
  { database, onDisturbance }: Disturbed,
): Promise<void> {
  if (one.kind === 'nap') await sleep(one.awayMs)
  else {
    const end = Date.now() + LONGEST_FREEZE_MS
    const owned = 'SELECT FROM threads WHERE owner = $1'
    while (Date.now() < end && (await database.query(owned, [node.id])).length > 0) await sleep(200)
    // The turn goes on elsewhere when the node wakes in the middle of its own.
    await sleep(AFTER_TAKEOVER_MS)
  }
  onDisturbance('wake', node.id)
  node.wake()
}
