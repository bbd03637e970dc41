import { sanitizeLine } from '@capstan/harness/connectors'
import type { WebhookKind } from '@capstan/protocol'
import type { Hono } from 'hono'
import { readChallenge, readOccurrence } from '../../triggers/signatures/read-occurrence.ts'
import { verifySignature } from '../../triggers/signatures/verify-signature.ts'
import type { WebhookRequest } from '../../triggers/signatures/webhook-request.ts'
import { HOOKS_PATH } from '../../triggers/stored-source.ts'
import { ApiError, notFound } from '../api-error.ts'
import type { AppContext, AppEnv, AppOptions } from '../app-context.ts'
import type { Callers } from '../callers.ts'
import { refuseWhen } from '../limits/refuse-when.ts'
import { readBytes } from '../payload/read-body.ts'

const MAX_BODY_BYTES = 1024 * 1024
/** Of one source. */
const RATE = { burst: 300, perSecond: 1 }
/** Of one source, in about a day: what it sends is kept for 30 days. */
const DAILY_RATE = { burst: 5_000, perSecond: 0.05 }
const MAX_CHALLENGE_CHARS = 200

/**
 * Where services report what happened. There is no login: the signature over the bytes of the body is what counts. An
 * answer of 202 means that it is stored. No answer holds anything of the request, except the challenge of a signed one.
 */
export function addHooks(
  app: Hono<AppEnv>,
  { assistant, metrics }: Pick<AppOptions, 'assistant' | 'metrics'>,
  callers: Callers,
): void {
  const rate = assistant.limiters.buckets('hooks', RATE)
  const dailyRate = assistant.limiters.buckets('hooks-day', DAILY_RATE)
  const path = `${HOOKS_PATH}/:hookId`

  async function refuse(c: AppContext, error: ApiError): Promise<never> {
    await callers.limitStranger(c)
    metrics.countRefusal('signature')
    throw error
  }

  app.post(path, async (c) => {
    c.set('route', path)
    const found = assistant.triggers.findHook(c.req.param('hookId'))
    if (!found) return refuse(c, notFound())
    const { userId, source } = found
    const body = await readBytes(c.req.raw, MAX_BODY_BYTES)
    const request: WebhookRequest = { body, header: (name) => c.req.header(name) }
    const kind = source.kind as WebhookKind // a sync has no address
    if (!verifySignature(kind, request, source.secret ?? '', Date.now()))
      return refuse(c, new ApiError('forbidden', 'The signature does not fit.', { status: 401 }))
    refuseWhen(await rate.take(source.id))
    refuseWhen(await dailyRate.take(source.id))
    const challenge = readChallenge(kind, request)
    if (challenge !== undefined) return c.text(sanitizeLine(challenge, MAX_CHALLENGE_CHARS))
    const occurrence = { ...readOccurrence(kind, request), payload: Buffer.from(body).toString() }
    const received = await assistant.triggers.receive(userId, source.id, occurrence)
    if (!received) throw notFound() // it was removed a moment ago
    return received.isDuplicate ? c.json({ status: 'duplicate' }, 200) : c.json({ status: 'accepted' }, 202)
  })
}
