import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../serve/build-web-app.ts'

/** Where the server of a data folder answers. */
export interface ServerAddress {
  readonly pid: number
  readonly url: string
}

const NAME = 'server.json'

/** Leaves word for other commands. The result takes it away again. */
export function writeServerFile(home: string, url: string): () => void {
  const path = join(home, NAME)
  writeFileSync(path, `${JSON.stringify({ pid: process.pid, url })}\n`, { mode: 0o600 })
  return () => {
    if (readAddress(home)?.pid === process.pid) rmSync(path, { force: true })
  }
}

/**
 * The server that owns the folder now, if one does. Word that a killed one left behind counts for nothing: another
 * program may listen there, and it must not be shown the token.
 */
export function findServer(home: string): ServerAddress | undefined {
  const address = readAddress(home)
  if (!address || !isAlive(address.pid) || readLockOwner(home) !== address.pid) return undefined
  return address
}

function readAddress(home: string): ServerAddress | undefined {
  try {
    const { pid, url } = JSON.parse(readFileSync(join(home, NAME), 'utf8')) as Partial<ServerAddress>
    if (typeof pid !== 'number' || typeof url !== 'string' || !URL.canParse(url)) return undefined
    return { pid, url }
  } catch {
    return undefined
  }
}

/** Who holds the lock of the store, as it wrote it down. */
function readLockOwner(home: string): number | undefined {
  try {
    return Number(readFileSync(join(home, 'lock.pid'), 'utf8').trim())
  } catch {
    return undefined
  }
}
