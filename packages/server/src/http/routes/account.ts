import { z } from 'zod'
import { NOTHING, defineRoute } from '../route.ts'
import { me } from '../schemas/account.ts'

const health = defineRoute({
  method: 'GET',
  path: '/api/health',
  summary: 'Whether the server is up, and its version.',
  answer: z.strictObject({ ok: z.boolean(), version: z.string() }),
  isOpen: true,
  handle: ({ services }) => ({ ok: true, version: services.version }),
})

const readMe = defineRoute({
  method: 'GET',
  path: '/api/me',
  summary: 'The user who is logged in.',
  answer: me,
  handle: ({ caller, services }) => ({ userId: caller.userId, version: services.version }),
})

const logOut = defineRoute({
  method: 'POST',
  path: '/api/logout',
  summary: 'Logs this browser out, with all its pages.',
  answer: NOTHING,
  handle({ caller, services }) {
    if (caller.login !== undefined) services.auth.logOut(caller.login)
  },
})

export const ACCOUNT_ROUTES = [health, readMe, logOut]
