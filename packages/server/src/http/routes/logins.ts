import { z } from 'zod'
import { ApiError, notFound } from '../api-error.ts'
import { NOTHING, defineRoute } from '../route.ts'
import { anyId } from '../schemas/common.ts'
import { loginRow } from '../schemas/people.ts'

const logInAgain = defineRoute({
  method: 'POST',
  path: '/api/login/again',
  rights: 'user',
  summary: 'Logs this browser in again with a new ticket, for what needs a login a short time ago.',
  body: z.strictObject({ ticket: z.string().min(1).max(2_000) }),
  example: { ticket: 'a-ticket' },
  answer: NOTHING,
  async handle({ caller, services, body }) {
    // A program with the install token always counts as freshly logged in.
    if (caller.login === undefined || (await services.auth.refreshLogin(caller.login, body.ticket))) return
    throw new ApiError('invalid', 'ticket: does not work any more, or belongs to another user', {
      field: 'ticket',
    })
  },
})

const listLogins = defineRoute({
  method: 'GET',
  path: '/api/logins',
  rights: 'user',
  summary: 'The browsers that are logged in as this user.',
  answer: z.strictObject({ logins: z.array(loginRow) }),
  handle: ({ caller, services }) => ({ logins: [...services.auth.listLogins(caller.userId, caller.login)] }),
})

const revokeLogin = defineRoute({
  method: 'DELETE',
  path: '/api/logins/:loginId',
  rights: 'user',
  summary: 'Logs a browser out at once, with all its pages.',
  params: { loginId: anyId },
  answer: NOTHING,
  async handle({ caller, services, assistant, params }) {
    if (!(await services.auth.revokeLogin(caller.userId, params.loginId))) throw notFound()
    await assistant.record(caller.userId, 'login-end', caller.userId, { login: params.loginId })
  },
})

const revokeOthers = defineRoute({
  method: 'POST',
  path: '/api/logins/revoke-others',
  rights: 'user',
  summary: 'Logs every other browser of this user out at once.',
  answer: z.strictObject({ revoked: z.number() }),
  async handle({ caller, services, assistant }) {
    const revoked = await services.auth.revokeOtherLogins(caller.userId, caller.login)
    if (revoked > 0) await assistant.record(caller.userId, 'login-end', caller.userId, { logins: revoked })
    return { revoked }
  },
})

export const LOGIN_ROUTES = [logInAgain, listLogins, revokeLogin, revokeOthers]
