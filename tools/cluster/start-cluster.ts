import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startDemoApp } from '../../packages/cli/src/serve/start-demo-app.ts'
import { openClusterSecrets } from './cluster-secrets.ts'
import { createNodeList } from './proxy/node-list.ts'
import type { RunningProxy } from './proxy/start-proxy.ts'
import { startProxy } from './proxy/start-proxy.ts'
import { startDatabase } from './start-database.ts'
import type { Role, RunningNode } from './start-node.ts'
import { startNode } from './start-node.ts'

export interface ClusterOptions {
  /** Holds the database, the secrets and a folder per node. */
  readonly home: string
  /** One node for each. */
  readonly roles: readonly Role[]
  /** Of the proxy. 0 chooses a free port. */
  readonly port: number
  /** Further options of `capstan serve`, for every node. */
  readonly args: readonly string[]
  /** What happens, a line each. */
  readonly print: (line: string) => void
}

/** A database, nodes and a proxy in front of them. */
export interface RunningCluster {
  readonly url: string
  /** Logs in once, on any node. */
  readonly link: string
  /** The data folder of a node that can make another link. */
  readonly loginHome: string
  readonly databaseUrl: string
  readonly nodes: readonly RunningNode[]
  /** Stops the nodes, then the proxy and the database. */
  stop(): Promise<void>
  /** Ends the nodes at once; a `stop` that waits for them goes on. */
  killNodes(): void
}

/** Starts everything. What was started is stopped again when a part cannot start. */
export async function startCluster(options: ClusterOptions): Promise<RunningCluster> {
  const { home, print } = options
  mkdirSync(home, { recursive: true })
  const { secretKey, databasePassword } = openClusterSecrets(home)
  const started: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const end of started.splice(0).toReversed()) await end()
  }
  try {
    const list = createNodeList({
      onChange: ({ name }, isUp) => print(isUp ? `${name} answers again` : `${name} does not answer`),
    })
    const proxy: RunningProxy = await startProxy(list, options.port)
    started.push(() => proxy.close())
    const database = await startDatabase(join(home, 'postgres'), databasePassword)
    started.push(() => database.stop())
    // One for all nodes: a connection to it works on each of them.
    const notes = options.args.includes('--no-demo') ? undefined : await startDemoApp(home)
    if (notes) started.push(() => notes.close())
    const nodes: RunningNode[] = []
    started.push(async () => {
      list.close()
      await Promise.all(nodes.map((node) => node.stop()))
    })
    // One after the other: the first one makes the tables and builds the web app.
    for (const [n, role] of options.roles.entries()) {
      const name = `node-${n + 1}`
      const node = await startNode({
        name,
        role,
        secretKey,
        home: join(home, name),
        databaseUrl: database.url,
        publicUrl: proxy.url,
        args: options.args,
        ...(notes && { demoApp: notes.mcpUrl }),
        onLine: (line) => print(`${name}: ${line}`),
        onEnd: (how) => print(`${name} ended: ${how}`),
      })
      nodes.push(node)
      if (role === 'worker') continue
      const { hostname: host, port } = new URL(node.url)
      list.add({ name, host, port: Number(port) })
    }
    const answering = nodes.find(({ role }) => role !== 'worker')!
    const { pathname, search } = new URL(answering.link)
    return {
      url: proxy.url,
      link: `${proxy.url}${pathname}${search}`,
      databaseUrl: database.url,
      loginHome: join(home, answering.name),
      nodes,
      stop,
      killNodes: () => nodes.forEach((node) => node.kill()),
    }
  } catch (error) {
    await stop()
    throw error
  }
}
