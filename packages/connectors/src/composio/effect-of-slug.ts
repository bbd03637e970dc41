import type { Effect } from '@capstan/harness'
import { toSlug } from '@capstan/harness/connectors'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Anywhere in a slug, these destroy something for good or change who may do what. */
const ADMIN_VERBS = words(`
  delete destroy erase purge wipe drop remove revoke grant ban kick transfer deactivate disable uninstall impersonate
  suspend terminate rotate unshare`)
/** With one of these, an action that changes something is `admin`. */
const ADMIN_NOUNS = words(`
  admin admins permission permissions role roles member members collaborator collaborators billing payment payments
  webhook webhooks secret secrets policy policies ownership owner acl delegate delegates forwarding sso key keys token
  tokens`)
const READ_VERBS = words(`
  get list fetch search find read retrieve query view show check count lookup describe download preview browse inspect
  export compare exists`)
const WRITE_VERBS = words(`
  add append apply approve archive assign cancel change clear clone close comment complete connect copy create draft
  duplicate edit enable execute fork forward generate import insert invite invoke label link lock mark merge modify move
  open patch pin post publish push put react reject rename reopen replace reply request reset resolve restore run save
  schedule send set share snooze star start stop submit subscribe sync trash trigger unarchive unlink unlock unpin unstar
  unsubscribe untrash update upload upsert write`)
const JOINTS = words('and or then')

/**
 * The effect of an action, by the words of its slug. Admin words come first; a slug without a known word is `write`. A
 * slug that begins with a read verb is `read`, unless another verb is joined to it. Pure.
 */
export function effectOfSlug(slug: string, toolkit: string): Effect {
  const prefix = `${toSlug(toolkit)}_`
  const name = toSlug(slug)
  const tokens = (name.startsWith(prefix) ? name.slice(prefix.length) : name).split('_')
  const has = (known: ReadonlySet<string>) => tokens.some((token) => known.has(token))
  if (has(ADMIN_VERBS)) return 'admin'
  const reads = READ_VERBS.has(tokens[0]!) || (has(READ_VERBS) && !has(WRITE_VERBS))
  if (reads && !joinsMore(tokens)) return 'read'
  return has(ADMIN_NOUNS) ? 'admin' : 'write'
}

const joinsMore = (tokens: readonly string[]): boolean =>
  tokens.some((token, index) => JOINTS.has(token) && WRITE_VERBS.has(tokens[index + 1] ?? ''))
