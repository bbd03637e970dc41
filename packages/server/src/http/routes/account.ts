import type { Health, UserRights } from '@capstan/protocol'
import { z } from 'zod'
import type { Caller } from '../../auth/auth.ts'
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

export const ACCOUNT_ROUTES = [health, readMe, logOut]
