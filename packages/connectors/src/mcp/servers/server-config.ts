import { ConfigurationError } from '@capstan/harness'
import type { SandboxProfile } from '@capstan/harness/sandbox'
import type { SyncMapping } from '@capstan/protocol'
import { checkMapping } from '../../sync/check-mapping.ts'
import { isLoopbackHost } from '../transports/guarded-fetch.ts'

/** An MCP server, which is a toolkit. */
export interface McpServerConfig {
  /** Lower case, digits and underscores. */
  readonly slug: string
  readonly name?: string
  /** One line, for people and for the model. The server's own instructions never take its place. */
  readonly description?: string
  readonly transport: StdioServer | HttpServer
  /** Absent: `none` for a program on this machine; for an HTTP server, whatever the server asks for. */
  readonly auth?: 'none' | 'oauth'
  /** A client that was registered with the service by hand. */
  readonly client?: { readonly id: string; readonly secret?: string }
  /**
   * Whether the owner trusts what the server says about its actions. Without trust, a claim that an action only reads
   * counts for nothing. A claim that the action's name contradicts is never accepted. docs/decisions/0022.
   */
  readonly isTrusted?: boolean
  /** How its items are brought into memory. Absent: its resources are, if it has any. Its actions must only read. */
  readonly sync?: SyncMapping
}

/** A program on this machine, confined. It sees PATH, HOME, LANG and the variables in `env`. */
export interface StdioServer {
  readonly type: 'stdio'
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** What it may reach. Absent: what its command line names, and no network. */
  readonly sandbox?: Pick<SandboxProfile, 'folders' | 'network' | 'limits'>
}

/** An MCP server that is reached by HTTP. */
export interface HttpServer {
  readonly type: 'http'
  readonly url: string
  /** Sent with every request to the server, and nowhere else. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The address of an HTTP server. Throws a `TypeError` for a program, which has none. Pure. */
export function urlOf({ transport }: Pick<McpServerConfig, 'transport'>): URL {
  if (transport.type !== 'http') throw new TypeError('a program has no address')
  return new URL(transport.url)
}

const SECRET_NAME = /auth|cookie|credential|key|passw|secret|token/i

/** The values in a configuration whose names say that they are secret. Pure. */
export function secretsIn({ client, transport }: McpServerConfig): readonly string[] {
  const named = Object.entries((transport.type === 'http' ? transport.headers : transport.env) ?? {})
  const values = named.flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value] : []))
  // Also without the scheme, as in `Bearer …`.
  const bare = values.flatMap((value) => (value.includes(' ') ? [value.slice(value.indexOf(' ') + 1)] : []))
  return [...(client?.secret === undefined ? [] : [client.secret]), ...values, ...bare]
}

/** Throws a `ConfigurationError` that names the field. The message holds no value of `env` or `headers`. */
export function checkServerConfig(config: McpServerConfig): void {
  const { slug, transport, auth } = config
  if (!/^[a-z0-9_]{1,64}$/.test(slug)) {
    throw new ConfigurationError('slug', 'lower case letters, digits and underscores, at most 64')
  }
  if (config.sync !== undefined) checkMapping(config.sync, `servers.${slug}.sync`)
  const field = `servers.${slug}.transport`
  if (transport.type === 'stdio') {
    if (transport.command === '') throw new ConfigurationError(`${field}.command`, 'must not be empty')
    if (auth === 'oauth') throw new ConfigurationError(`servers.${slug}.auth`, 'a program has no sign-in')
    return
  }
  if (!URL.canParse(transport.url)) throw new ConfigurationError(`${field}.url`, 'is not a URL')
  const url = new URL(transport.url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ConfigurationError(`${field}.url`, 'must be http or https')
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError(`${field}.url`, 'must not hold a password: use headers')
  }
  // A token would be sent unencrypted.
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname) && auth !== 'none') {
    throw new ConfigurationError(`${field}.url`, 'must be https, unless it is this machine or auth is "none"')
  }
}
