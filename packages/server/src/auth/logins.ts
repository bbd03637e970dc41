import { hash, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '@capstan/harness'
import { z } from 'zod'
import type { Ticket } from './ticket.ts'
import { TICKET_LIFE_MS } from './ticket.ts'

const FILE = 'logins.json'
const DAY_MS = 86_400_000
const LIFE_MS = 90 * DAY_MS
const MAX_PER_USER = 100

/** A browser that is logged in. Only the hash of its secret is stored. */
interface Login {
  readonly hash: string
  readonly userId: string
  readonly createdAt: number
  /** Accurate to a day, which saves writes. */
  readonly usedAt: number
}

/** The logins of an installation, in a file of the data folder. They survive a restart. */
export interface Logins {
  /** Undefined for a used ticket. Throws a `StoreError` when the login cannot be stored; the ticket stays usable then. */
  redeem(ticket: Ticket): { readonly secret: string; readonly login: Login } | undefined
  /** Never throws. */
  find(secret: string): Login | undefined
  isGood(hash: string): boolean
  /** Ends the login at once and notifies every listener. Throws a `StoreError` when the end cannot be stored. */
  revoke(hash: string): void
  /** The result unsubscribes. */
  onRevoke(listener: (hash: string) => void): () => void
}

const FILE_SHAPE = z.object({
  logins: z.array(
    z.object({ hash: z.string(), userId: z.string(), createdAt: z.number(), usedAt: z.number() }),
  ),
  usedTickets: z.array(z.object({ id: z.string(), expiresAt: z.number() })),
  /** Tickets that expire before this are refused: it is unknown which of them were used. */
  ticketsFrom: z.number().default(0),
})

export function openLogins(folder: string, now: () => number): Logins {
  const path = join(folder, FILE)
  const file = readFile(path, now())
  const { ticketsFrom } = file
  const logins = new Map<string, Login>(file.logins.map((login) => [login.hash, login]))
  const usedTickets = new Map(file.usedTickets.map(({ id, expiresAt }) => [id, expiresAt]))
  const listeners = new Set<(hash: string) => void>()

  const isAlive = ({ usedAt }: Login): boolean => usedAt + LIFE_MS > now()

  function save(): void {
    for (const [id, expiresAt] of usedTickets) if (expiresAt <= now()) usedTickets.delete(id)
    for (const login of logins.values()) if (!isAlive(login)) logins.delete(login.hash)
    writeWhole(path, {
      logins: [...logins.values()],
      usedTickets: [...usedTickets].map(([id, expiresAt]) => ({ id, expiresAt })),
      ticketsFrom,
    })
  }
  if (file.isDamaged) trySave()

  /** For writes whose failure must not refuse a login: the next write makes up for it. */
  function trySave(): void {
    try {
      save()
    } catch {
      // The disk may be full.
    }
  }

  function revoke(gone: string): void {
    if (!logins.delete(gone)) return
    for (const listener of listeners) listener(gone)
    save()
  }

  /** Keeps a user below the limit by dropping the least recently used logins. */
  function dropOldest(userId: string): void {
    const own = [...logins.values()].filter((login) => login.userId === userId)
    const surplus = own.toSorted((a, b) => a.usedAt - b.usedAt).slice(0, own.length - MAX_PER_USER + 1)
    if (own.length >= MAX_PER_USER) for (const login of surplus) revoke(login.hash)
  }

  return {
    redeem({ id, userId, expiresAt }) {
      if (usedTickets.has(id) || expiresAt < ticketsFrom) return undefined
      dropOldest(userId)
      usedTickets.set(id, expiresAt)
      const secret = randomBytes(32).toString('base64url')
      const login = { hash: hash('sha256', secret), userId, createdAt: now(), usedAt: now() }
      logins.set(login.hash, login)
      try {
        save() // before the browser gets the cookie: a ticket must not work twice
      } catch (error) {
        logins.delete(login.hash)
        usedTickets.delete(id)
        throw error
      }
      return { secret, login }
    },
    find(secret) {
      const login = logins.get(hash('sha256', secret))
      if (!login || !isAlive(login)) return undefined
      if (now() - login.usedAt < DAY_MS) return login
      const used = { ...login, usedAt: now() }
      logins.set(used.hash, used)
      trySave()
      return used
    },
    isGood(known) {
      const login = logins.get(known)
      return login !== undefined && isAlive(login)
    },
    revoke,
    onRevoke(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

interface LoginsFile extends z.infer<typeof FILE_SHAPE> {
  readonly isDamaged: boolean
}

/** A file that cannot be read ends all logins, and all earlier tickets count as used. */
function readFile(path: string, now: number): LoginsFile {
  try {
    return { ...FILE_SHAPE.parse(JSON.parse(readFileSync(path, 'utf8'))), isDamaged: false }
  } catch (error) {
    const isDamaged = (error as NodeJS.ErrnoException).code !== 'ENOENT'
    return { logins: [], usedTickets: [], ticketsFrom: isDamaged ? now + TICKET_LIFE_MS : 0, isDamaged }
  }
}

function writeWhole(path: string, value: unknown): void {
  const draft = `${path}.new`
  try {
    const file = openSync(draft, 'w', 0o600)
    try {
      writeSync(file, JSON.stringify(value))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new StoreError(code === 'ENOSPC' ? 'full' : 'io', `The logins could not be stored (${code}).`)
  }
}
