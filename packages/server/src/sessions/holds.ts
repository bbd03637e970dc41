import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '@capstan/harness'
import type { Hold } from '@capstan/protocol'
import { z } from 'zod'
import { writeWhole } from '../settings/write-whole.ts'

const FILE = 'hold.json'

/** Who has stopped everything. It is kept in a file of the data folder, so that a restart does not resume anything. */
export interface Holds {
  /** The hold over this user's turns. One of the owner over everybody comes first. */
  of(userId: string): Hold | undefined
  /** `undefined`: everybody. Throws a `StoreError` when it cannot be stored; nothing changes then. */
  set(userId: string | undefined, at: number): void
  clear(userId: string | undefined): void
}

const Stored = z.object({
  everybody: z.object({ at: z.number() }).optional(),
  users: z.record(z.string(), z.object({ at: z.number() })).default({}),
})
type Stored = z.infer<typeof Stored>

/** Opens the holds of a data folder. A file that cannot be read holds everybody: nothing runs by mistake. */
export function openHolds(folder: string): Holds {
  const path = join(folder, FILE)
  let stored = read(path)

  function save(next: Stored): void {
    try {
      writeWhole(path, JSON.stringify(next))
    } catch (error) {
      throw new StoreError('io', `${FILE} cannot be written.`, { cause: error })
    }
    stored = next
  }

  return {
    of(userId) {
      if (stored.everybody) return { ...stored.everybody, scope: 'everybody' }
      const own = Object.hasOwn(stored.users, userId) ? stored.users[userId] : undefined
      return own && { ...own, scope: 'own' }
    },
    set(userId, at) {
      if (userId === undefined) save({ ...stored, everybody: { at } })
      else save({ ...stored, users: { ...stored.users, [userId]: { at } } })
    },
    clear(userId) {
      if (userId === undefined) save({ users: stored.users })
      else {
        const { [userId]: _, ...users } = stored.users
        save({ ...stored, users })
      }
    },
  }
}

function read(path: string): Stored {
  try {
    return Stored.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { users: {} }
    return { everybody: { at: 0 }, users: {} }
  }
}
