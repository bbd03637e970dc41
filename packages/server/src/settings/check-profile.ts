import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { ConfigurationError } from '@capstan/harness'
import type { SandboxNetwork } from '@capstan/harness/sandbox'
import type { ServerProfile } from '@capstan/protocol'
import { isAround, realOrSame } from './paths.ts'

const MAX_FOLDERS = 20
const MAX_HOSTS = 50
const MAX_VARIABLES = 50
// A name, `*.` and a name, or an address; with a port or without.
const HOST =
  /^(\*\.)?(?=.{1,253}(:|$))[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d{1,5})?$/i
const ADDRESS = /^\[[0-9a-f:.]+\](:\d{1,5})?$/i
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/

/** The profile with true paths and without repeats. Throws a `ConfigurationError` that names the field. */
export function checkProfile(profile: ServerProfile, dataFolder: string): ServerProfile {
  const { folders, network, hosts, environment } = profile
  if (folders.length > MAX_FOLDERS)
    throw new ConfigurationError('sandbox.folders', `must be at most ${MAX_FOLDERS} folders`)
  const checked = folders.map(({ path, access }, index) => ({
    path: checkFolder(`sandbox.folders.${index}`, path, { access, dataFolder }),
    access,
  }))
  const named = checkHosts('sandbox.hosts', hosts)
  if (network === 'hosts' && named.length === 0)
    throw new ConfigurationError('sandbox.hosts', 'name at least one host, or switch the network off')
  return {
    folders: [...new Map(checked.map((folder) => [folder.path, folder])).values()],
    network,
    hosts: network === 'hosts' ? named : [],
    environment: checkVariables(environment),
  }
}

/** Hosts in lower case and without repeats. Throws a `ConfigurationError` for one that is none. Pure. */
export function checkHosts(
  field: string,
  hosts: readonly string[],
  { max = MAX_HOSTS, allowsPort = true } = {},
): readonly string[] {
  if (hosts.length > max) throw new ConfigurationError(field, `must be at most ${max} hosts`)
  const written = hosts.map((host) => host.trim().toLowerCase()).filter((host) => host !== '')
  for (const [index, host] of written.entries())
    // Everything below `*.com` would be a host of anybody.
    if (
      (!allowsPort && /:\d+$/.test(host)) ||
      ((!HOST.test(host) || /^\*\.[^.]+$/.test(host)) && !ADDRESS.test(host))
    )
      throw new ConfigurationError(
        `${field}.${index}`,
        `"${host}" is not a host such as example.com, *.example.com or example.com:8080`,
      )
  return [...new Set(written)]
}

function checkVariables(names: readonly string[]): readonly string[] {
  if (names.length > MAX_VARIABLES)
    throw new ConfigurationError('sandbox.environment', `must be at most ${MAX_VARIABLES} names`)
  const written = names.map((name) => name.trim()).filter((name) => name !== '')
  for (const [index, name] of written.entries())
    if (!VARIABLE.test(name))
      throw new ConfigurationError(
        `sandbox.environment.${index}`,
        'must be the name of a variable, without its value',
      )
  return [...new Set(written)]
}

function checkFolder(
  field: string,
  written: string,
  { access, dataFolder }: { readonly access: 'read' | 'write'; readonly dataFolder: string },
): string {
  if (!isAbsolute(written)) throw new ConfigurationError(field, 'must be an absolute path')
  let path: string
  try {
    path = realpathSync(resolve(written))
    // A program may lie alone in a folder that must not be shown.
    if (!statSync(path).isDirectory() && access === 'write') throw new Error('not a folder')
  } catch {
    throw new ConfigurationError(field, `"${written}" is not a folder that can be read`)
  }
  const own = realOrSame(dataFolder)
  if (isAround(path, own) || isAround(own, path))
    throw new ConfigurationError(
      field,
      `"${written}" holds the assistant's own data folder; choose one that does not`,
    )
  return path
}

/** The network of a profile as the sandbox names it. Pure. */
export const toNetwork = ({ network, hosts }: Pick<ServerProfile, 'network' | 'hosts'>): SandboxNetwork =>
  network === 'hosts' ? hosts : network
