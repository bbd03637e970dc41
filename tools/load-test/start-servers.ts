import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** What one process is started with. */
export interface ServerSettings {
  readonly folder: string
  readonly users: number
  /** Absent: alone, with a store of its own. */
  readonly database?: { readonly url: string; readonly nodeId: string; readonly role: Role }
}

/** What a node does. */
export type Role = 'all' | 'web' | 'worker'

interface Memory {
  readonly rss: number
  readonly heapUsed: number
}

/** Servers in processes of their own. */
export interface RunningServers {
  /** The addresses of those that answer browsers. */
  readonly urls: readonly string[]
  /** One for each user, good at every address. */
  readonly tickets: readonly string[]
  /** Of all processes together. */
  memory(): Promise<Memory>
  stop(): Promise<void>
}

const KEY = 'd1'.repeat(32)

/** Starts one server alone, or one node for each role on a PostgreSQL of their own. */
export async function startServers(users: number, roles: readonly Role[]): Promise<RunningServers> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-load-'))
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).toReversed()) await end()
  }
  const start = async (settings: ServerSettings): Promise<RunningServer> => {
    const server = await startProcess(settings)
    ends.push(() => server.stop())
    return server
  }
  try {
    const servers: RunningServer[] = []
    if (roles.length === 0) servers.push(await start({ folder, users }))
    else {
      const url = await startDatabase(ends)
      for (const [n, role] of roles.entries()) {
        const nodeId = `node-${n + 1}`
        const database = { url, nodeId, role }
        servers.push(await start({ folder: join(folder, nodeId), users, database }))
      }
    }
    return {
      urls: servers.filter((_, n) => roles[n] !== 'worker').map(({ url }) => url),
      tickets: servers[0]!.tickets,
      async memory() {
        const all = await Promise.all(servers.map((server) => server.memory()))
        return { rss: sum(all.map(({ rss }) => rss)), heapUsed: sum(all.map(({ heapUsed }) => heapUsed)) }
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** Loaded only here, because the package of the database changes how this process ends. */
async function startDatabase(ends: (() => Promise<unknown>)[]): Promise<string> {
  const { startPostgres } =
    await import('../../packages/stores/src/postgres/fixtures/start-postgres.fixture.ts')
  const database = await startPostgres(['max_connections=200'])
  ends.push(() => database.close())
  return database.url
}

interface RunningServer {
  readonly url: string
  readonly tickets: readonly string[]
  memory(): Promise<Memory>
  stop(): Promise<void>
}

async function startProcess(settings: ServerSettings): Promise<RunningServer> {
  const child = fork(join(import.meta.dirname, 'server-process.ts'), [JSON.stringify(settings)], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, CAPSTAN_SECRET_KEY: KEY },
  })
  const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`a server ended: ${code}`)))
  died.catch(() => {})
  const answer = async <Answer>(): Promise<Answer> => {
    const [message] = (await Promise.race([once(child, 'message'), died])) as [Answer]
    return message
  }
  return {
    ...(await answer<{ url: string; tickets: string[] }>()),
    memory() {
      child.send('memory')
      return answer<Memory>()
    },
    async stop() {
      if (child.connected) child.send('stop')
      if (child.exitCode === null) await Promise.race([once(child, 'exit'), pause(10_000)])
      child.kill('SIGKILL')
    },
  }
}
