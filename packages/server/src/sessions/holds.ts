import type { Hold } from '@capstan/protocol'
import { z } from 'zod'
import { openDocument } from '../documents/document.ts'
import type { Documents } from '../documents/documents.ts'

/** Who has stopped everything. It is stored, so that a restart does not resume anything. */
export interface Holds {
  /** The hold over this user's turns. One of the owner over everybody comes first. */
  of(userId: string): Hold | undefined
  /** All whose turns are held. */
  held(): 'everybody' | readonly string[]
  /** `undefined`: everybody. Rejects with a `StoreError` when it cannot be stored; nothing changes then. */
  set(userId: string | undefined, at: number): Promise<void>
  clear(userId: string | undefined): Promise<void>
  /** Calls the listener after a change of another node, with what held users before. */
  onHoldsChanged(listener: (before: Holds['of']) => void): void
}

const Stored = z.object({
  everybody: z.object({ at: z.number() }).optional(),
  users: z.record(z.string(), z.object({ at: z.number() })).default({}),
})
type Stored = z.infer<typeof Stored>

/** Opens the holds of an installation. A document that cannot be read holds everybody: nothing runs by mistake. */
export function openHolds(documents: Documents): Holds {
  const document = openDocument<Stored>(documents, {
    name: 'hold',
    empty: { users: {} },
    parse: (text) => Stored.parse(JSON.parse(text)),
    format: (stored) => JSON.stringify(stored),
    damaged: () => ({ everybody: { at: 0 }, users: {} }),
  })

  return {
    of: (userId) => holdOf(document.value, userId),
    held: () => (document.value.everybody ? 'everybody' : Object.keys(document.value.users)),
    async set(userId, at) {
      await document.change((stored) =>
        userId === undefined
          ? { ...stored, everybody: { at } }
          : { ...stored, users: { ...stored.users, [userId]: { at } } },
      )
    },
    async clear(userId) {
      await document.change(({ everybody, users }) => {
        if (userId === undefined) return { users }
        const { [userId]: _, ...others } = users
        return { ...(everybody && { everybody }), users: others }
      })
    },
    onHoldsChanged: (listener) =>
      void document.watch((_, before, by) => {
        if (by === 'another') listener((userId) => holdOf(before, userId))
      }),
  }
}

function holdOf({ everybody, users }: Stored, userId: string): Hold | undefined {
  if (everybody) return { ...everybody, scope: 'everybody' }
  const own = Object.hasOwn(users, userId) ? users[userId] : undefined
  return own && { ...own, scope: 'own' }
}
