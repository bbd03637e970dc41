import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../serve/build-web-app.ts'

/** The process and the address of the server of a data folder. */
export interface ServerAddress {
  readonly pid: number
  readonly url: string
  /** For links to somebody else. */
  readonly linkUrl: string
  /** It is one of several nodes on a database, and owns no folder. */
  readonly isNode?: true
}

const NAME = 'server.json'

/** Writes the address for other commands to find. The result removes the file. */
export function writeServerFile(
  home: string,
  { url, linkUrl, isNode }: Omit<ServerAddress, 'pid'>,
): () => void {
  const path = join(home, NAME)
  writeFileSync(path, `${JSON.stringify({ pid: process.pid, url, linkUrl, isNode })}\n`, { mode: 0o600 })
  return () => {
    if (readAddress(home)?.pid === process.pid) rmSync(path, { force: true })
  }
}

/**
 * The server that owns the folder now, or a node that was started with it. The file of a killed server is ignored: another program may listen on that
 * address, and must not receive the token.
 */
export function findServer(home: string): ServerAddress | undefined {
  const address = readAddress(home)
  if (!address || !isAlive(address.pid)) return undefined
  return address.isNode || readLockOwner(home) === address.pid ? address : undefined
}

function readAddress(home: string): ServerAddress | undefined {
  try {
    const {
      pid,
      url,
      linkUrl = url,
      isNode,
    } = JSON.parse(readFileSync(join(home, NAME), 'utf8')) as Partial<ServerAddress>
    if (typeof pid !== 'number' || typeof url !== 'string' || !URL.canParse(url)) return undefined
    if (typeof linkUrl !== 'string' || !URL.canParse(linkUrl)) return undefined
    return { pid, url, linkUrl, ...(isNode === true && { isNode }) }
  } catch {
    return undefined
  }
}

/** The process id in the lock file of the store. */
function readLockOwner(home: string): number | undefined {
  try {
    return Number(readFileSync(join(home, 'lock.pid'), 'utf8').trim())
  } catch {
    return undefined
  }
}
