import type { Hold } from '@capstan/protocol'
import { z } from 'zod'
import type { HoldScope } from '../../sessions/stop-everything.ts'
import { checkRights } from '../rights.ts'
import type { Call } from '../route.ts'
import { NOTHING, defineRoute } from '../route.ts'

/** Without a scope: everybody for the owner, and the own turns for any other user. */
const holdPost = z.strictObject({ scope: z.enum(['own', 'everybody']).optional() })

const hold = defineRoute({
  method: 'POST',
  path: '/api/hold',
  summary: 'Stops every running turn. None starts until it is released. Only the owner may stop everybody.',
  rights: 'user',
  body: holdPost,
  example: { scope: 'own' },
  answer: NOTHING,
  handle: (call) => call.assistant.hold(toScope(call)),
})

const release = defineRoute({
  method: 'POST',
  path: '/api/release',
  summary: 'Lets turns start again, and resumes those that wait.',
  rights: 'user',
  body: holdPost,
  example: { scope: 'own' },
  answer: NOTHING,
  handle: (call) => {
    const held = call.assistant.readSettings(call.caller.userId).held?.scope
    return call.assistant.release(toScope(call, held))
  },
})

function toScope(
  { caller, body }: Call<unknown, unknown, z.output<typeof holdPost>>,
  standing?: Hold['scope'],
): HoldScope {
  const isForEverybody = (body.scope ?? standing ?? (caller.isOwner ? 'everybody' : 'own')) === 'everybody'
  if (isForEverybody) checkRights('owner', caller, 'scope')
  return { by: caller.userId, isForEverybody }
}

export const HOLD_ROUTES = [hold, release]
