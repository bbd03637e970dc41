import { setTimeout } from 'node:timers/promises'
import type { Health, Ready, ThreadId, UserRights } from '@capstan/protocol'
import { z } from 'zod'
import type { Caller } from '../../auth/auth.ts'
import { ApiError } from '../api-error.ts'
import { NOTHING, defineRoute } from '../route.ts'
import { me } from '../schemas/account.ts'
import { describes } from '../schemas/describes.ts'

const health = defineRoute({
  method: 'GET',
  path: '/api/health',
  rights: 'open',
  summary: 'Whether the server is up and can store messages, and its version.',
  answer: describes<Health>()(
    z.strictObject({
      ok: z.boolean(),
      problem: z.literal('disk-full').optional(),
      version: z.string(),
      loginCommand: z.string().optional(),
    }),
  ),
  async handle({ assistant, services: { version, loginCommand } }) {
    const isFull = await assistant.disk.check()
    return {
      ok: !isFull,
      ...(isFull && { problem: 'disk-full' as const }),
      version,
      ...(loginCommand !== undefined && { loginCommand }),
    }
  },
})

/** How long the store may take to answer the question of a load balancer. */
const READY_WITHIN_MS = 1_000

const ready = defineRoute({
  method: 'GET',
  path: '/api/ready',
  rights: 'open',
  summary: 'Whether requests should be sent to this node: its store answers. Else 503.',
  answer: describes<Ready>()(z.strictObject({ ok: z.literal(true), version: z.string() })),
  async handle({ assistant: { store }, services: { version } }) {
    const isInTime = new AbortController()
    const late = setTimeout(READY_WITHIN_MS, 'late', { signal: isInTime.signal })
    // No thread has this id: the question costs one look at an index.
    const answer = await Promise.race([(async () => store.threads.get(NO_THREAD))(), late]).catch(
      () => 'late',
    )
    isInTime.abort()
    late.catch(() => {})
    if (answer === 'late') throw new ApiError('unavailable', 'The store does not answer.')
    return { ok: true as const, version }
  },
})

const NO_THREAD = 'ready' as ThreadId

const readMe = defineRoute({
  method: 'GET',
  path: '/api/me',
  rights: 'user',
  summary: 'The user who is logged in, and what they may do.',
  answer: me,
  handle: ({ caller, services }) => ({
    userId: caller.userId,
    version: services.version,
    role: caller.isOwner ? ('owner' as const) : ('member' as const),
    can: rightsOf(caller),
  }),
})

const logOut = defineRoute({
  method: 'POST',
  path: '/api/logout',
  rights: 'user',
  summary: 'Logs this browser out, with all its pages.',
  answer: NOTHING,
  async handle({ caller, services, assistant }) {
    if (caller.login === undefined) return
    await services.auth.logOut(caller.login)
    await assistant.record(caller.userId, 'login-end', caller.userId, { logins: 1 })
  },
})

/** One role has every right and the other has none; a screen asks for the right, and not for the role. */
function rightsOf({ isOwner }: Caller): UserRights {
  return {
    changeModel: isOwner,
    changeFolders: isOwner,
    useFullMode: isOwner,
    manageServers: isOwner,
    manageMembers: isOwner,
    seeDiagnostics: isOwner,
  }
}

export const ACCOUNT_ROUTES = [health, ready, readMe, logOut]
