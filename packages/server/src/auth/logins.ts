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

/** A browser that has logged in. What it holds is known here by its hash alone. */
interface Login {
  readonly hash: string
  readonly userId: string
  readonly createdAt: number
  /** To the day: it is not worth a write more often. */
  readonly usedAt: number
}

/** Who is logged in, in the data folder, so that a restart logs nobody out. */
export interface Logins {
  /** Undefined for a ticket that was used already. Throws a `StoreError` when the login cannot be kept; nothing is used up then. */
  redeem(ticket: Ticket): { readonly secret: string; readonly login: Login } | undefined
  /** Never throws. */
  find(secret: string): Login | undefined
  isGood(hash: string): boolean
  /** Over at once, and everybody is told. Throws a `StoreError` when a restart would make it good again. */
  revoke(hash: string): void
  /** The result stops it. */
  onRevoke(listener: (hash: string) => void): () => void
}

const FILE_SHAPE = z.object({
  logins: z.array(
    z.object({ hash: z.string(), userId: z.string(), createdAt: z.number(), usedAt: z.number() }),
  ),
  usedTickets: z.array(z.object({ id: z.string(), expiresAt: z.number() })),
  /** Tickets that end before this are not taken: nobody knows any more which of them were used. */
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

  /** Where a write that fails must not keep anybody out: it is made up for by the next one. */
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

  /** Nobody has so many browsers: the ones that were used longest ago go. */
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
        save() // before anybody has the cookie: a ticket must not work twice
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

/** A file that cannot be read logs everybody out, and nobody in: tickets from before count as used. */
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
    throw new StoreError(code === 'ENOSPC' ? 'full' : 'io', `The logins could not be kept (${code}).`)
  }
}
