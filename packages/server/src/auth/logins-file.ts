import { z } from 'zod'
import { openDocument } from '../documents/document.ts'
import type { Document } from '../documents/document.ts'
import type { Documents } from '../documents/documents.ts'
import { TICKET_LIFE_MS } from './ticket.ts'

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
export type Login = Readonly<z.infer<typeof Login>>

/** A user whom the owner let in. */
export type Member = Readonly<z.infer<typeof Member>>

/** The logins, used tickets and members of an installation. They are stored together: a removal is whole or not at all. */
export interface LoginState {
  readonly logins: ReadonlyMap<string, Login>
  readonly usedTickets: ReadonlyMap<string, number>
  readonly members: ReadonlyMap<string, Member>
  readonly ticketsFrom: number
}

/** A copy of the state that is being changed. */
export interface LoginDraft extends LoginState {
  readonly logins: Map<string, Login>
  readonly usedTickets: Map<string, number>
  readonly members: Map<string, Member>
}

type LoginWork = (draft: LoginDraft) => false | void

export interface LoginsFile {
  readonly state: LoginState
  /**
   * Stores a changed state. `work` may be called several times, and returns false when there is nothing to change. Rejects
   * with a `StoreError`, or with what `work` throws; nothing changes then.
   */
  change(work: LoginWork): Promise<void>
  /** The same, but it counts here at once, also when it cannot be stored. */
  changeAtOnce(work: LoginWork): Promise<void>
  /** Calls the listener after each change, of this node or another one. */
  watch(listener: (state: LoginState, before: LoginState) => void): void
}

export const isAlive = ({ usedAt }: Login, now: number): boolean => usedAt + LIFE_MS > now

/** Opens the logins. A damaged document ends all logins, and all earlier tickets count as used. */
export function openLoginsFile(documents: Documents, ownerId: string, now: () => number): LoginsFile {
  let isDamaged = false
  const document: Document<LoginState> = openDocument<LoginState>(documents, {
    name: 'logins',
    empty: toState({ logins: [], usedTickets: [], ticketsFrom: 0, members: [] }),
    parse: (text) => withMembers(toState(FILE_SHAPE.parse(JSON.parse(text))), ownerId, now()),
    format: (state) => JSON.stringify(fromState(state)),
    damaged() {
      isDamaged = true
      return toState({ logins: [], usedTickets: [], ticketsFrom: now() + TICKET_LIFE_MS, members: [] })
    },
  })
  const toWork = (work: LoginWork) => (state: LoginState) => {
    const draft = toDraft(state)
    if (work(draft) === false) return state
    dropOutdated(draft, now())
    return draft
  }

  const file: LoginsFile = {
    get state() {
      return document.value
    },
    change: async (work) => void (await document.change(toWork(work))),
    changeAtOnce: async (work) => void (await document.changeAtOnce(toWork(work))),
    watch: (listener) => void document.watch((state, before) => listener(state, before)),
  }
  // Tickets of the future need a time that does not move. The disk may be full: then the next change stores it.
  if (isDamaged) file.change(() => {}).catch(() => {})
  return file
}

function dropOutdated({ logins, usedTickets, members }: LoginDraft, now: number): void {
  for (const [id, expiresAt] of usedTickets) if (expiresAt <= now) usedTickets.delete(id)
  for (const login of logins.values()) if (!isAlive(login, now)) logins.delete(login.hash)
  // No ticket from before the removal can be valid any more.
  for (const { userId, isRemoved, ticketsAfter } of members.values())
    if (isRemoved && ticketsAfter + TICKET_LIFE_MS < now) members.delete(userId)
}

/** An older version stored logins alone: whoever had one is a member. */
function withMembers(state: LoginState, ownerId: string, now: number): LoginState {
  const members = new Map(state.members)
  for (const { userId } of state.logins.values())
    if (userId !== ownerId && !members.has(userId))
      members.set(userId, { userId, addedAt: now, ticketsAfter: 0, isRemoved: false })
  return { ...state, members }
}

const toDraft = ({ logins, usedTickets, members, ticketsFrom }: LoginState): LoginDraft => ({
  logins: new Map(logins),
  usedTickets: new Map(usedTickets),
  members: new Map(members),
  ticketsFrom,
})

const toState = ({ logins, usedTickets, ticketsFrom, members }: z.infer<typeof FILE_SHAPE>): LoginState => ({
  logins: new Map(logins.map((login) => [login.hash, login])),
  usedTickets: new Map(usedTickets.map(({ id, expiresAt }) => [id, expiresAt])),
  ticketsFrom,
  members: new Map(members.map((member) => [member.userId, member])),
})

const fromState = ({ logins, usedTickets, ticketsFrom, members }: LoginState) => ({
  logins: [...logins.values()],
  usedTickets: [...usedTickets].map(([id, expiresAt]) => ({ id, expiresAt })),
  ticketsFrom,
  members: [...members.values()],
})
