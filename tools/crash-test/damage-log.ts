import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from './random.ts'

/** What may happen to the write-ahead log of a process that was killed. */
export const DAMAGES = ['deleted', 'cut', 'tail-cut', 'overwritten'] as const

/** A kind of damage. */
export type Damage = (typeof DAMAGES)[number]

/** A page of the database and the header of its frame in the log. */
const FRAME_BYTES = 4096 + 24

/** Damages the write-ahead log. False when there is nothing in it: the process has ended by itself. */
export function damageLog(storeFolder: string, damage: Damage, random: Random): boolean {
  const path = join(storeFolder, 'capstan.db-wal')
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  if (bytes.length === 0) return false
  if (damage === 'deleted') rmSync(path)
  if (damage === 'cut') truncateSync(path, Math.floor((bytes.length * random.int(10, 90)) / 100))
  if (damage === 'tail-cut') truncateSync(path, Math.max(0, bytes.length - FRAME_BYTES * random.int(1, 6)))
  if (damage === 'overwritten')
    writeFileSync(path, bytes.fill(0x5a, Math.floor((bytes.length * random.int(10, 90)) / 100)))
  return true
}
