import { createHmac, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError } from '@capstan/harness'
import { makeFolder } from '@capstan/harness/stores'
import type { Documents } from '../documents/documents.ts'

const FILE = 'install.key'
const SECRET_BYTES = 32
/** Where nodes have it. */
const SHARED = 'install-secret'

/** The secret of this installation. Each use has its own derived key. */
export interface InstallSecret {
  /** For programs that can read the data folder: `Authorization: Bearer …`. */
  readonly token: string
  readonly ticketKey: Buffer
  readonly browserKey: Buffer
}

/**
 * Reads the secret of a data folder, or creates one. The file is readable by its owner only, also after a restore with
 * wider permissions, and is never visible half-written, also when two processes create it. Throws a `ConfigurationError`
 * when the folder cannot be used.
 */
export function openInstallSecret(folder: string): InstallSecret {
  const path = join(folder, FILE)
  let secret: Buffer
  try {
    makeFolder(folder)
    secret = readSecret(path) ?? makeSecret(path)
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new ConfigurationError('folder', `${folder} cannot be used (${code})`)
  }
  return deriveKeys(secret)
}

function deriveKeys(secret: Buffer): InstallSecret {
  const derive = (purpose: string): Buffer => createHmac('sha256', secret).update(purpose).digest()
  return {
    token: derive('install-token').toString('base64url'),
    ticketKey: derive('login-ticket'),
    browserKey: derive('browser-id'),
  }
}

/**
 * The secret that nodes share. The first node makes it; each keeps a copy in its data folder, if it has one. Throws a `ConfigurationError`
 * when it is not what was written, or when the folder belongs to another installation.
 */
export async function openSharedInstallSecret(documents: Documents, folder?: string): Promise<InstallSecret> {
  await documents.change(SHARED, (text) =>
    text === undefined ? randomBytes(SECRET_BYTES).toString('base64url') : undefined,
  )
  const secret = Buffer.from(documents.read(SHARED) ?? '', 'base64url')
  if (secret.length !== SECRET_BYTES)
    throw new ConfigurationError('database', 'the secret of the installation cannot be read')
  if (folder !== undefined) keepSecret(folder, secret)
  return deriveKeys(secret)
}

/** Commands on this machine read the secret from the folder. */
function keepSecret(folder: string, secret: Buffer): void {
  const path = join(folder, FILE)
  makeFolder(folder)
  const kept = readSecret(path) ?? makeSecret(path, secret)
  if (kept.equals(secret)) return
  throw new ConfigurationError(
    'folder',
    `${folder} belongs to another installation. Use an empty folder, or move that one to the database with "capstan migrate"`,
  )
}

function readSecret(path: string): Buffer | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
    if (statSync(path).mode & 0o077) chmodSync(path, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ConfigurationError('folder', `${FILE} cannot be read`)
  }
  const secret = Buffer.from(text.trim(), 'base64url')
  if (secret.length !== SECRET_BYTES) throw new ConfigurationError('folder', `${FILE} holds no secret`)
  return secret
}

function makeSecret(path: string, secret: Buffer = randomBytes(SECRET_BYTES)): Buffer {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${secret.toString('base64url')}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(draft, path)
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return readSecret(path)! // another process was faster
  } finally {
    rmSync(draft, { force: true })
  }
}
