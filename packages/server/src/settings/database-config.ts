import { ConfigurationError } from '@capstan/harness'
import type { NodeRole } from '../cluster/cluster.ts'
import type { DatabaseOptions } from '../cluster/open-node.ts'
import type { Environment } from './choose-model.ts'

const ROLES: readonly string[] = ['all', 'web', 'worker'] satisfies NodeRole[]

/**
 * The database that the environment names. Undefined: there is none, and the data folder has a store of its own. Throws a
 * `ConfigurationError` that names the variable.
 */
export function readDatabaseOptions(env: Environment): DatabaseOptions | undefined {
  const url = env['DATABASE_URL']
  if (!url) return undefined
  const { protocol = '', pathname = '' } = URL.parse(url) ?? {}
  if (!/^postgres(ql)?:$/.test(protocol) || !/^\/./.test(pathname))
    throw new ConfigurationError(
      'DATABASE_URL',
      'must be an address such as postgres://user@host:5432/capstan',
    )
  const role = env['CAPSTAN_ROLE'] || 'all'
  if (!ROLES.includes(role))
    throw new ConfigurationError('CAPSTAN_ROLE', `must be one of ${ROLES.join(', ')}`)
  const { CAPSTAN_NODE_ID: nodeId, CAPSTAN_KEY_FILE: keyFile, CAPSTAN_CONCURRENCY: concurrency } = env
  if (concurrency && !/^[1-9]\d{0,4}$/.test(concurrency))
    throw new ConfigurationError('CAPSTAN_CONCURRENCY', 'must be a whole number from 1')
  return {
    url,
    role: role as NodeRole,
    ...(nodeId && { nodeId }),
    ...(keyFile && { keyFile }),
    ...(concurrency && { concurrency: Number(concurrency) }),
  }
}
