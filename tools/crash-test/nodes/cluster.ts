import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningNode } from './node.ts'
import { startNode } from './node.ts'

/** What all nodes of a round are started with. */
export interface ClusterOptions {
  readonly program: string
  readonly folder: string
  readonly errors: string
  /** The address of the database for a node; undefined: the node has a store of its own. */
  readonly databaseUrlOf: (nodeId: string) => string | undefined
  readonly toolUrl: string
  readonly appUrl: string
  readonly notesUrl: string
  readonly maxIterations: number
  readonly onFault: (text: string) => void
}

/** The nodes of a round. */
export interface Cluster {
  /** Every node that was started and not ended. */
  readonly nodes: () => readonly RunningNode[]
  /** How many were started. */
  readonly started: () => number
  /** Starts a node; without a name, under a new one. */
  start(name?: string): Promise<RunningNode>
  end(node: RunningNode, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Ends all nodes, also those that are being started. */
  close(): Promise<void>
}

export function createCluster({
  program,
  folder,
  errors,
  databaseUrlOf,
  onFault,
  ...shared
}: ClusterOptions): Cluster {
  const nodes = new Set<RunningNode>()
  const starting = new Set<Promise<RunningNode>>()
  let names = 0
  let started = 0

  async function start(name = `node-${++names}`): Promise<RunningNode> {
    started++
    const own = join(folder, name)
    await mkdir(own, { recursive: true })
    const databaseUrl = databaseUrlOf(name)
    const settings = {
      ...shared,
      nodeId: name,
      folder: own,
      ...(databaseUrl !== undefined && { databaseUrl }),
    }
    const begun = startAtLast(() => startNode({ program, settings, errors, onFault }))
    starting.add(begun)
    try {
      const node = await begun
      nodes.add(node)
      return node
    } finally {
      starting.delete(begun)
    }
  }

  return {
    start,
    started: () => started,
    nodes: () => [...nodes],
    async end(node, signal) {
      nodes.delete(node)
      await node.end(signal)
    },
    async close() {
      await Promise.allSettled(starting)
      await Promise.all([...nodes].map((node) => node.end('SIGKILL')))
    },
  }
}

const MAX_STARTS = 6

/** A node that is started while its database is away ends, and is started again, as by whatever keeps a service running. */
async function startAtLast(start: () => Promise<RunningNode>): Promise<RunningNode> {
  for (let n = 1; ; n++) {
    try {
      return await start()
    } catch (error) {
      if (n >= MAX_STARTS) throw error
      await sleep(100 * n)
    }
  }
}
