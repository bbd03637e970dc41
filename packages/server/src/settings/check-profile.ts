import type { SandboxNetwork } from '@capstan/harness/sandbox'
import type { ServerProfile } from '@capstan/protocol'
import { checkFolder } from './check-folder.ts'
import { checkHosts } from './check-hosts.ts'
import { fieldError } from './field-error.ts'

const MAX_FOLDERS = 20
const MAX_VARIABLES = 50
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/

/** The profile with true paths and without repeats. Throws a `ConfigurationError` that names the field. */
export function checkProfile(profile: ServerProfile, dataFolder: string): ServerProfile {
  const { folders, network, hosts, environment } = profile
  if (folders.length > MAX_FOLDERS)
    throw fieldError('sandbox.folders', { kind: 'too-many', most: MAX_FOLDERS })
  const checked = folders.map(({ path, access }, index) => ({
    // A program may lie alone in a folder that must not be shown.
    path: checkFolder(`sandbox.folders.${index}`, path, { dataFolder, allowsFile: access === 'read' }),
    access,
  }))
  const named = checkHosts('sandbox.hosts', hosts)
  if (network === 'hosts' && named.length === 0) throw fieldError('sandbox.hosts', { kind: 'no-host' })
  return {
    folders: [...new Map(checked.map((folder) => [folder.path, folder])).values()],
    network,
    hosts: network === 'hosts' ? named : [],
    environment: checkVariables(environment),
  }
}

function checkVariables(names: readonly string[]): readonly string[] {
  if (names.length > MAX_VARIABLES)
    throw fieldError('sandbox.environment', { kind: 'too-many', most: MAX_VARIABLES })
  const written = names.map((name) => name.trim()).filter((name) => name !== '')
  for (const [index, name] of written.entries())
    if (!VARIABLE.test(name))
      // What stands behind the name may be a secret.
      throw fieldError(`sandbox.environment.${index}`, {
        kind: 'not-a-variable',
        value: name.split('=', 1)[0] ?? '',
      })
  return [...new Set(written)]
}

/** The network of a profile as the sandbox names it. Pure. */
export const toNetwork = ({ network, hosts }: Pick<ServerProfile, 'network' | 'hosts'>): SandboxNetwork =>
  network === 'hosts' ? hosts : network
