import type { Effect, JsonSchema } from '@capstan/harness'
import { judgeName } from './judge-name.ts'
import { schemaActs } from './schema-acts.ts'

/** What a service says about an action of its own. */
export interface EffectClaim {
  readonly reads?: boolean | undefined
  readonly destroys?: boolean | undefined
}

/** The effect of an action, and what it rests on. */
export interface JudgedEffect {
  readonly effect: Effect
  readonly because: 'name' | 'claim'
}

/**
 * The effect of an action of a third party. It is `read` when its name and its schema say so by our own table. The claim
 * of a service that it only reads counts if the owner trusts the service, and never against a name that acts. A claim that
 * it does more always counts. docs/decisions/0022. Pure.
 */
export function judgeAction(action: {
  readonly name: string
  readonly input: JsonSchema
  /** The slug of its app. */
  readonly app: string
  readonly claim?: EffectClaim
  readonly isTrusted?: boolean
}): JudgedEffect {
  const { name, input, app, claim = {}, isTrusted = false } = action
  const { effect, acts, words } = judgeName(name, app)
  if (acts) return { effect, because: 'name' }
  const saysItChanges = claim.reads === false || claim.destroys === true
  if (effect === 'read') {
    if (saysItChanges) return { effect: 'write', because: 'claim' }
    if (!schemaActs(input, words)) return { effect: 'read', because: 'name' }
  }
  if (isTrusted && claim.reads === true && !saysItChanges) return { effect: 'read', because: 'claim' }
  return { effect: effect === 'read' ? 'write' : effect, because: 'name' }
}
