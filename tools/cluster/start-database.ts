import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A PostgreSQL server of this cluster. */
export interface RunningDatabase {
  readonly url: string
  stop(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('database-process.ts', import.meta.url))

/** Starts PostgreSQL with its data in the folder. It also ends when this process is killed. Rejects when it cannot start. */
export async function startDatabase(folder: string, password: string): Promise<RunningDatabase> {
  const child = fork(PROGRAM, [folder], {
    // Its own group: a terminal sends Ctrl-C to the whole group, and nodes need the database until they have stopped.
    detached: true,
    env: { ...process.env, CLUSTER_DATABASE_PASSWORD: password },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const told = Promise.race([once(child, 'message'), ended.then(() => [{ problem: 'it ended' }])])
  const [{ url, problem }] = (await told) as [{ url?: string; problem?: string }]
  if (url === undefined) throw new Error(`PostgreSQL did not start in ${folder}: ${problem}`)
  return {
    url,
    async stop() {
      if (child.connected) child.send('stop')
      await ended
    },
  }
}
