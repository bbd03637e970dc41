import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoreError } from '@capstan/harness'
import { makeFolder } from '@capstan/harness/stores'
import { syncFolder } from './sync-folder.ts'

/** The key that locks secrets. It is never in the database, nor in a backup of it. */
export interface SecretKey {
  /** Undefined when there is none. Throws a `StoreError` when there is one that must not be used. */
  read(): NamedKey | undefined
  /** The same, but creates one if there is none. */
  readOrCreate(): NamedKey
}

interface NamedKey {
  /** Identifies the key without revealing it. */
  readonly name: string
  readonly key: KeyObject
}

interface SecretKeyOptions {
  readonly file: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const VARIABLE = 'CAPSTAN_SECRET_KEY'
const KEY_BYTES = 32
const HEX = /^[\da-f]{64}$/i

/**
 * The key in the environment if there is one, else in its file, which is made when the first secret is written. Throws a
 * `StoreError` when the variable holds something else.
 */
export function openSecretKey({ file, env }: SecretKeyOptions): SecretKey {
  const given = env[VARIABLE]?.trim()
  if (given) {
    if (!HEX.test(given)) throw new StoreError('invalid', `${VARIABLE} must be 64 hexadecimal digits.`)
    const key = toKey(given)
    return { read: () => key, readOrCreate: () => key }
  }
  let known: NamedKey | undefined
  return {
    read: () => (known ??= readKey(file)),
    readOrCreate: () => (known ??= readKey(file) ?? createKey(file)),
  }
}

function toKey(hex: string): NamedKey {
  const bytes = Buffer.from(hex, 'hex')
  const name = createHmac('sha256', bytes).update('the name of this key').digest('hex').slice(0, 16)
  return { name, key: createSecretKey(bytes) }
}

function readKey(path: string): NamedKey | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(path, 'cannot be opened', error)
  }
  try {
    const { mode, size } = fstatSync(file)
    // A process ended before it wrote the key: nothing was locked with it.
    if (size === 0) return undefined
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw unusable(path, 'can be read by other users of this machine. Make it yours alone with chmod 600')
    }
    const hex = readFileSync(file, 'utf8').trim()
    if (!HEX.test(hex)) throw unusable(path, 'does not hold a key of 64 hexadecimal digits')
    return toKey(hex)
  } finally {
    closeSync(file)
  }
}

/** Creates a key. It is flushed before anything is locked with it. */
function createKey(path: string): NamedKey {
  const hex = randomBytes(KEY_BYTES).toString('hex')
  const folder = dirname(path)
  makeFolder(folder)
  // Removes an empty file; `readKey` checked that it is empty.
  rmSync(path, { force: true })
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, `${hex}\n`)
    fsyncSync(file)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  syncFolder(folder)
  return toKey(hex)
}

const unusable = (path: string, why: string, cause?: unknown): StoreError =>
  new StoreError('io', `The key of the secrets is not used: ${path} ${why}.`, { cause })
