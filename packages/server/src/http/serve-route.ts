import { z } from 'zod'
import type { MessageReceipt } from '@capstan/protocol'
import type { Caller } from '../auth/auth.ts'
import { toEmptyCookie } from '../auth/login-cookie.ts'
import { notFound } from './api-error.ts'
import type { AppContext, AppOptions } from './app-context.ts'
import { isSecure } from './app-context.ts'
import type { Callers } from './callers.ts'
import { createMemberLimitGate } from './limits/member-limits.ts'
import { refuseWhen } from './limits/refuse-when.ts'
import { checkInput } from './payload/check-input.ts'
import { readBody } from './payload/read-body.ts'
import { toJson } from './payload/to-json.ts'
import type { Call, Route } from './route.ts'
import { NOTHING } from './route.ts'
import { checkRights } from './rights.ts'

const MEGABYTE = 1024 * 1024
const NOBODY: Caller = { userId: '', isOwner: false, isFresh: false, browserId: '' }

type Options = Pick<AppOptions, 'assistant' | 'services' | 'limits' | 'logger' | 'checkAnswers'>

/** Serves one route of the list: who may call it, how often, with which input, and how its answer is written. */
export function createRouteServer(
  options: Options,
  callers: Callers,
): (c: AppContext, route: Route) => Promise<Response> {
  const { limits } = options
  const { limiters } = options.assistant
  const messages = limiters.buckets('messages', limits.messages)
  const openings = limiters.buckets('stream-openings', limits.openings)
  const gate = createMemberLimitGate(limiters)

  async function admit(c: AppContext, route: Route): Promise<Caller> {
    const caller = route.rights === 'open' ? NOBODY : await callers.require(c)
    checkRights(route.rights, caller)
    if (route.cost === 'message') refuseWhen(await messages.take(caller.userId, costOf(c)))
    if (isStream(route)) {
      if (c.req.raw.method === 'HEAD') throw notFound() // a HEAD request would never read the stream
      refuseWhen(await openings.take(caller.userId))
    }
    return caller
  }

  async function handle(route: Route, call: Call, bytes: number): Promise<unknown> {
    const { caller, assistant } = call
    if (route.cost === 'thread') await gate.checkThreads(caller, assistant)
    if (route.cost !== 'message') return route.handle(call)
    const { threadId } = call.params as { readonly threadId?: string }
    const leave = await gate.enterTurn(caller, assistant, { threadId, bytes })
    try {
      return await route.handle(call)
    } finally {
      leave()
    }
  }

  return async (c, route) => {
    const caller = await admit(c, route)
    const answer = await handle(route, await toCall(c, route, caller, options), bytesOf(c))
    if (answer instanceof Response) return answer
    const runId = route.cost === 'message' && (answer as Partial<MessageReceipt>).runId
    if (runId) c.set('runId', runId)
    if (route.answer === NOTHING) return toEmpty(c, route, options)
    if (options.checkAnswers && route.answer instanceof z.ZodType) route.answer.parse(answer)
    return toJson(answer, route.status ?? 200, c.req.header('accept-encoding'))
  }
}

async function toCall(c: AppContext, route: Route, caller: Caller, options: Options): Promise<Call> {
  const { assistant, services, logger } = options
  return {
    params: checkInput(route.params, c.req.param()),
    query: checkInput(route.query, c.req.query()),
    body: await bodyOf(c, route),
    caller,
    // On demand: an open route is called by strangers, who have no threads.
    get threads() {
      return assistant.threadsOf(caller.userId)
    },
    get actions() {
      return assistant.actionsOf(caller.userId)
    },
    assistant,
    origin: c.get('origin'),
    headers: c.req.raw.headers,
    breakOff(error: unknown) {
      const requestId = c.get('requestId')
      logger.error({ err: error, requestId, route: route.path }, 'an answer broke off')
      c.env.outgoing.destroy()
    },
    services,
  }
}

function toEmpty(c: AppContext, route: Route, { services }: Options): Response {
  const response = new Response(null, { status: 204 })
  if (route.path === '/api/logout')
    response.headers.append('set-cookie', toEmptyCookie(services.port(), isSecure(c)))
  return response
}

/** One more for each megabyte: a large message takes longer to handle. */
const costOf = (c: AppContext): number => 1 + Math.floor(bytesOf(c) / MEGABYTE)

/** How long the body is; an unknown length counts as a megabyte. */
const bytesOf = (c: AppContext): number => Number(c.req.header('content-length') ?? MEGABYTE)

const isStream = ({ answer }: Route): boolean =>
  answer !== NOTHING && 'mediaType' in answer && answer.mediaType === 'text/event-stream'

async function bodyOf(c: AppContext, { method, body, maxBodyBytes }: Route): Promise<unknown> {
  if (method === 'GET') return undefined
  const sent = await readBody(c.req.raw, maxBodyBytes)
  return body ? checkInput(body, sent) : undefined
}
