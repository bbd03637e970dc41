import type { McpServerConfig } from '@capstan/connectors'
import type { Sandbox } from '@capstan/harness/sandbox'
import type { McpServerRow, McpTransport, ServerProfile } from '@capstan/protocol'
import { toNetwork } from '../settings/check-profile.ts'
import type { Environment } from '../settings/choose-model.ts'
import type { OwnServer } from '../settings/settings-file.ts'

/** What a new command needs by its own words, without network. Undefined for a server that is no command. */
export function suggestProfile(transport: McpTransport, sandbox: Sandbox): ServerProfile | undefined {
  if (transport.type !== 'stdio') return undefined
  const folders = sandbox.suggestFolders(transport.command, transport.args)
  return { folders, network: 'off', hosts: [], environment: [] }
}

/**
 * The profile of a stored server. One from before there was confinement keeps its network, and sees what its confirmed
 * command names: less than it had, and enough to go on.
 */
function profileOf({ transport, sandbox: stored }: OwnServer, sandbox: Sandbox): ServerProfile | undefined {
  if (transport.type !== 'stdio') return undefined
  const suggested = suggestProfile(transport, sandbox)
  return stored ?? (suggested && { ...suggested, network: 'any' })
}

/** The configuration of a stored server for the connector. */
export function toConfig(server: OwnServer, sandbox: Sandbox, env: Environment): McpServerConfig {
  const { slug, name, transport } = server
  const profile = profileOf(server, sandbox)
  const about = {
    slug,
    name,
    isTrusted: server.isTrusted === true,
    ...(server.sync && { sync: server.sync }),
  }
  if (transport.type !== 'stdio' || !profile) return { ...about, transport }
  const variables = profile.environment.map(
    (variable) => [variable, Object.hasOwn(env, variable) ? env[variable] : undefined] as const,
  )
  return {
    ...about,
    transport: {
      ...transport,
      env: Object.fromEntries(variables.filter((entry): entry is [string, string] => entry[1] !== undefined)),
      sandbox: { folders: profile.folders, network: toNetwork(profile) },
    },
  }
}

/** A stored server as screens show it. */
export function toRow(server: OwnServer, sandbox: Sandbox): McpServerRow {
  const { slug, name, transport } = server
  const profile = profileOf(server, sandbox)
  // Before servers could be shared, members could sign in to every server, but a program belongs to the owner.
  const shared = server.shared ?? transport.type === 'http'
  return {
    slug,
    name,
    transport,
    shared,
    isTrusted: server.isTrusted === true,
    ...(server.sync && { sync: server.sync }),
    ...(profile && { sandbox: profile, isConfined: sandbox.isConfining }),
  }
}
