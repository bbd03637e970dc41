import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** What a node does: answer browsers, run turns, or both. */
export type Role = 'all' | 'web' | 'worker'

export interface NodeOptions {
  readonly name: string
  readonly role: Role
  readonly home: string
  readonly databaseUrl: string
  readonly secretKey: string
  /** The address that browsers use. */
  readonly publicUrl: string
  /** The address of a Notes demo app that all nodes use. */
  readonly demoApp?: string
  /** Further options of `capstan serve`. */
  readonly args: readonly string[]
  /** A line that it wrote to standard error. */
  readonly onLine: (line: string) => void
  /** It ended without being asked to. */
  readonly onEnd: (how: string) => void
}

/** A `capstan serve` process. */
export interface RunningNode {
  readonly name: string
  readonly role: Role
  readonly pid: number
  readonly url: string
  /** A link with a ticket to log in once, on this node's own address. */
  readonly link: string
  /** Lets it end its turns or hand them over. `kill` ends it at once. */
  stop(): Promise<void>
  kill(): void
}

const BINARY = fileURLToPath(new URL('../../packages/cli/bin/capstan.mjs', import.meta.url))
const LOOPBACK = '127.0.0.1'
/** A node that has not stopped by then is killed. */
const STOP_MS = 60_000

/** Rejects when it ends before it listens. */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { name, role, home, publicUrl } = options
  const flags = ['--home', home, '--host', LOOPBACK, '--port', '0', '--json']
  const proxy = ['--origin', publicUrl, '--trusted-proxy', LOOPBACK]
  const child = spawn(process.execPath, [BINARY, 'serve', ...flags, ...proxy, ...options.args], {
    // Its own group, so that Ctrl-C in a terminal reaches it only as our request to stop.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: options.databaseUrl,
      CAPSTAN_SECRET_KEY: options.secretKey,
      CAPSTAN_ROLE: role,
      CAPSTAN_NODE_ID: name,
      ...(options.demoApp !== undefined && { CAPSTAN_DEMO_APP: options.demoApp }),
    },
  })
  createInterface({ input: child.stderr }).on('line', options.onLine)
  let isStopping = false
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>
  void ended.then(([code, signal]) => isStopping || options.onEnd(signal ?? `exit code ${code}`))
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(String),
    ended.then(() => undefined),
  ])
  if (line === undefined) throw new Error(`${name} did not start`)
  const { url, link } = JSON.parse(line) as { url: string; link: string }

  return {
    name,
    role,
    pid: child.pid!,
    url,
    link,
    async stop() {
      isStopping = true
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(late)
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
