import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSeal } from '../../shared/seal.ts'
import type { Seal } from '../../shared/seal.ts'

const KEY_BYTES = 32

/** `isNew` when there was no usable key: everything that was sealed before counts for nothing. */
export function openSeal(folder: string): { readonly seal: Seal; readonly isNew: boolean } {
  const path = join(folder, 'seal.key')
  const key = readKey(path)
  return { seal: createSeal(key ?? writeKey(path)), isNew: !key }
}

/** For a reader. Without a key no seal fits. */
export function readSeal(folder: string): Seal {
  const key = readKey(join(folder, 'seal.key'))
  return key ? createSeal(key) : { ...createSeal(randomBytes(KEY_BYTES)), isKeyMissing: true }
}

function readKey(path: string): Uint8Array | undefined {
  try {
    const key = readFileSync(path)
    return key.byteLength === KEY_BYTES ? key : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function writeKey(path: string): Uint8Array {
  const key = randomBytes(KEY_BYTES)
  writeFileSync(path, key, { mode: 0o600 })
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
  return key
}
