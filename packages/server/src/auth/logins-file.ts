import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '@capstan/harness'
import { z } from 'zod'
import { writeWhole } from '../settings/write-whole.ts'
import { TICKET_LIFE_MS } from './ticket.ts'

const FILE = 'logins.json'
const DAY_MS = 86_400_000
const LIFE_MS = 90 * DAY_MS

const Login = z.object({
  /** Of the secret in the browser's cookie, which is stored nowhere. */
  hash: z.string(),
  userId: z.string(),
  createdAt: z.number(),
  usedAt: z.number(),
  /** Until then the login may change what reaches the machine. 0 for a login of an older version. */
  freshUntil: z.number().default(0),
  /** Such as `Firefox on Linux`; blank when it is not known. Words of our own, never the browser's. */
  device: z.string().default(''),
})

const Member = z.object({
  userId: z.string(),
  addedAt: z.number(),
  /** Tickets that were made until then are refused: the member was removed at that time. */
  ticketsAfter: z.number().default(0),
  isRemoved: z.boolean().default(false),
})

const FILE_SHAPE = z.object({
  logins: z.array(Login),
  usedTickets: z.array(z.object({ id: z.string(), expiresAt: z.number() })),
  /** Tickets that expire before this are refused: it is unknown which of them were used. */
  ticketsFrom: z.number().default(0),
  members: z.array(Member).default([]),
})

/** A browser that is logged in. */
export type Login = z.infer<typeof Login>

/** A user whom the owner let in. */
export type Member = z.infer<typeof Member>

/** The logins, used tickets and members of an installation, in one file: a removal is stored whole or not at all. */
export interface LoginsFile {
  readonly logins: Map<string, Login>
  readonly usedTickets: Map<string, number>
  readonly members: Map<string, Member>
  readonly ticketsFrom: number
  isAlive(login: Login): boolean
  /** Throws a `StoreError`. */
  save(): void
  /** For writes whose failure must not refuse a login: the next write makes up for it. Never throws. */
  trySave(): void
}

/** Opens the file of a data folder. A damaged file ends all logins, and all earlier tickets count as used. */
export function openLoginsFile(folder: string, now: () => number): LoginsFile {
  const path = join(folder, FILE)
  const read = readFile(path, now())
  const { ticketsFrom } = read
  const logins = new Map(read.logins.map((login) => [login.hash, login]))
  const usedTickets = new Map(read.usedTickets.map(({ id, expiresAt }) => [id, expiresAt]))
  const members = new Map(read.members.map((member) => [member.userId, member]))
  const isAlive = ({ usedAt }: Login): boolean => usedAt + LIFE_MS > now()

  function dropOutdated(): void {
    for (const [id, expiresAt] of usedTickets) if (expiresAt <= now()) usedTickets.delete(id)
    for (const login of logins.values()) if (!isAlive(login)) logins.delete(login.hash)
    // No ticket from before the removal can be valid any more.
    for (const { userId, isRemoved, ticketsAfter } of members.values())
      if (isRemoved && ticketsAfter + TICKET_LIFE_MS < now()) members.delete(userId)
  }

  function save(): void {
    dropOutdated()
    store(path, {
      logins: [...logins.values()],
      usedTickets: [...usedTickets].map(([id, expiresAt]) => ({ id, expiresAt })),
      ticketsFrom,
      members: [...members.values()],
    })
  }

  function trySave(): void {
    try {
      save()
    } catch {
      // The disk may be full.
    }
  }

  if (read.isDamaged) trySave()
  return { logins, usedTickets, members, ticketsFrom, isAlive, save, trySave }
}

interface ReadFile extends z.infer<typeof FILE_SHAPE> {
  readonly isDamaged: boolean
}

function readFile(path: string, now: number): ReadFile {
  try {
    return { ...FILE_SHAPE.parse(JSON.parse(readFileSync(path, 'utf8'))), isDamaged: false }
  } catch (error) {
    const isDamaged = (error as NodeJS.ErrnoException).code !== 'ENOENT'
    const ticketsFrom = isDamaged ? now + TICKET_LIFE_MS : 0
    return { logins: [], usedTickets: [], ticketsFrom, members: [], isDamaged }
  }
}

function store(path: string, value: unknown): void {
  try {
    writeWhole(path, JSON.stringify(value))
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new StoreError(code === 'ENOSPC' ? 'full' : 'io', `The logins could not be stored (${code}).`)
  }
}
