import { hash } from 'node:crypto'
import type {
  ApprovalDecision,
  Grant,
  GrantBinding,
  GrantConstraints,
  GrantLifetime,
  ThreadId,
} from '@capstan/protocol'
import { canonicalJson } from '../digest.ts'
import type { Destinations } from './constraints.ts'
import { fitsConstraints } from './constraints.ts'

const HOUR_MS = 3_600_000

/** A call as a grant sees it. */
export interface GrantCall {
  readonly tool: string
  readonly binding: GrantBinding
  readonly threadId: ThreadId
  /** Where exactly this call sends something. Nothing in it is redacted. */
  readonly destinations: Destinations
}

/** How a grant is looked for. */
export interface GrantQuery {
  readonly now: number
  /** Only a grant with constraints counts: for a call whose destination may come from somebody else. */
  readonly needsConstraint?: boolean
}

/**
 * Whether a grant allows a call. Everything it is bound to must be the same; a call with the effect `admin` is never
 * covered. A grant with constraints covers only calls whose destinations all match. Pure.
 */
export function grantCovers(grant: Grant, call: GrantCall, { now, needsConstraint }: GrantQuery): boolean {
  return (
    call.binding.effect !== 'admin' &&
    grant.tool === call.tool &&
    isSameBinding(grant.binding, call.binding) &&
    isAlive(grant, now) &&
    (grant.lifetime !== 'thread' || grant.threadId === call.threadId) &&
    (grant.constraints ? fitsConstraints(grant.constraints, call.destinations) : !needsConstraint)
  )
}

/** Whether a grant has not expired. */
export function isAlive(
  { lifetime, expiresAt }: Pick<Grant, 'lifetime' | 'expiresAt'>,
  now: number,
): boolean {
  return expiresAt === undefined ? lifetime !== 'hour' : now < expiresAt
}

function isSameBinding(a: GrantBinding, b: GrantBinding): boolean {
  return (
    a.app?.toolkit === b.app?.toolkit &&
    a.connectionId === b.connectionId &&
    a.definitionDigest === b.definitionDigest &&
    a.effect === b.effect
  )
}

const LIFETIMES: Partial<Record<ApprovalDecision, GrantLifetime>> = {
  'allow-thread': 'thread',
  'allow-hour': 'hour',
  'allow-always': 'always',
}

/** The lifetime of the grant that a decision gives, if it gives one. */
export const lifetimeOf = (decision: ApprovalDecision): GrantLifetime | undefined => LIFETIMES[decision]

/** What an approval says about a grant for its call. */
export interface Grantable {
  readonly tool: string
  readonly threadId: ThreadId
  readonly binding?: GrantBinding
}

/** Whether an approval can give a grant: one that knows what it is bound to, and does not administer. */
export const isGrantable = ({ binding }: Pick<Grantable, 'binding'>): boolean =>
  binding !== undefined && binding.effect !== 'admin'

/** The decision that is recorded. Where no grant can be given, a longer yes is a yes to this one call. */
export function toRecordedDecision<Decision extends ApprovalDecision>(
  approval: Grantable,
  decision: Decision,
): Decision | 'allow-once' {
  return lifetimeOf(decision) && !isGrantable(approval) ? 'allow-once' : decision
}

/** The grant that an answer gives, if it gives one. The same grant given twice has the same id. */
export function toGrant(
  approval: Grantable,
  decision: ApprovalDecision,
  at: number,
  constraints?: GrantConstraints,
): Grant | undefined {
  const lifetime = lifetimeOf(decision)
  const { tool, threadId, binding } = approval
  if (!lifetime || !binding || !isGrantable(approval)) return undefined
  const { app, ...rest } = binding
  const essence = [tool, app?.toolkit, rest, lifetime, constraints, lifetime === 'thread' ? threadId : '']
  return {
    id: `grant_${hash('sha256', canonicalJson(essence), 'base64url').slice(0, 22)}`,
    tool,
    binding,
    lifetime,
    ...(constraints && { constraints }),
    threadId,
    createdAt: at,
    ...(lifetime === 'hour' && { expiresAt: at + HOUR_MS }),
  }
}
