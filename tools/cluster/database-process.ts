import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../packages/stores/src/postgres/fixtures/start-postgres.fixture.ts'

// PostgreSQL in its own process: the library that starts it stops it at once on Ctrl-C, while nodes still need it. Sends
// `{ url }` or `{ problem }` to its parent. It ends when the parent says so or is gone.

const [folder = ''] = process.argv.slice(2)
const password = process.env['CLUSTER_DATABASE_PASSWORD'] ?? ''
const SETTINGS = ['max_connections=300', 'shared_buffers=128MB']

// The library writes the password to a file for a moment. The user `postgres` must read it when this is root.
if (process.getuid?.() !== 0) process.umask(0o077)
try {
  const server = await startPostgres(SETTINGS, { folder, password })
  const pid = readServerPid()
  // The library waits for ever for the end of a server that has ended already.
  const stop = (): void => (isAlive(pid) ? void server.close().then(() => process.exit(0)) : process.exit(0))
  process.once('message', stop)
  process.once('disconnect', stop)
  if (process.connected) process.send?.({ url: server.url })
  else stop()
} catch (error) {
  process.send?.({ problem: (error as Error).message }, () => process.exit(1))
}

/** PostgreSQL writes the number of its process into the first line of this file. */
function readServerPid(): number {
  return Number.parseInt(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8'))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
