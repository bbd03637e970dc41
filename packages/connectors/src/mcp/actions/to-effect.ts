import type { Effect } from '@capstan/harness'
import type { ToolAnnotations } from '@modelcontextprotocol/client'

const ADMIN_WORDS = new Set([
  'admin',
  'administer',
  'delete',
  'destroy',
  'drop',
  'erase',
  'format',
  'grant',
  'impersonate',
  'permission',
  'permissions',
  'purge',
  'revoke',
  'shutdown',
  'sudo',
  'transfer',
  'truncate',
  'uninstall',
  'wipe',
])

const WRITE_VERBS = new Set([
  'add',
  'append',
  'approve',
  'archive',
  'assign',
  'cancel',
  'close',
  'create',
  'deploy',
  'edit',
  'insert',
  'install',
  'invite',
  'merge',
  'move',
  'patch',
  'pay',
  'post',
  'publish',
  'push',
  'put',
  'remove',
  'rename',
  'reply',
  'replace',
  'save',
  'send',
  'set',
  'share',
  'submit',
  'update',
  'upload',
  'upsert',
  'write',
])

/**
 * How far an action reaches. A server may lower an action to `read` only where it is trusted and the name does not say
 * otherwise; nothing it says makes an action reach less than its name. Pure.
 */
export function toEffect(
  name: string,
  annotations: ToolAnnotations | undefined,
  trustAnnotations: boolean,
): Effect {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const saysItReads =
    trustAnnotations && annotations?.readOnlyHint === true && annotations.destructiveHint !== true
  const isAdmin = words.some((word) => ADMIN_WORDS.has(word))
  // `list_permissions` reads; `delete_all` does not, whatever is claimed.
  if (isAdmin) return saysItReads && isReadVerb(words[0]) ? 'read' : 'admin'
  return saysItReads && !WRITE_VERBS.has(words[0] ?? '') ? 'read' : 'write'
}

const READ_VERBS = new Set([
  'get',
  'list',
  'read',
  'search',
  'find',
  'fetch',
  'show',
  'describe',
  'count',
  'view',
])
const isReadVerb = (word: string | undefined): boolean => word !== undefined && READ_VERBS.has(word)
