import type { McpConnector } from '@capstan/connectors'
import { checkMapping } from '@capstan/connectors'
import { ConfigurationError } from '@capstan/harness'
import { toSlug } from '@capstan/harness/connectors'
import type { Sandbox } from '@capstan/harness/sandbox'
import type {
  ConnectionRow,
  McpServerPatch,
  McpServerPost,
  McpServerPreview,
  McpServerRow,
  McpTransport,
  ProposedMapping,
  ServerProfile,
  SyncMapping,
} from '@capstan/protocol'
import { createOneByOne } from '../documents/one-by-one.ts'
import { checkProfile } from '../settings/check-profile.ts'
import type { Environment } from '../settings/choose-model.ts'
import type { OwnServer, SettingsFile } from '../settings/settings-file.ts'
import { MAX_OWN_SERVERS } from '../settings/settings-file.ts'
import { createConnectedServers } from './connected-servers.ts'
import { suggestProfile, toConfig, toRow } from './server-profile.ts'

/** The MCP servers that users added, in the settings file and in the connector. */
export interface OwnServers {
  /** Adds the servers of the settings to the connector, and follows other nodes. Reports and skips an invalid one. */
  start(onProblem: (problem: unknown) => void): Promise<void>
  list(): readonly McpServerRow[]
  /** Throws a `ConfigurationError` for an invalid server. Starts nothing. */
  preview(post: McpServerPost): McpServerPreview
  /** Rejects with a `ConfigurationError`; nothing changes then. */
  add(post: McpServerPost): Promise<McpServerRow>
  /**
   * Changes who may use a server, or what its program may reach: its sessions end at once. Or sets whether its claims about
   * its actions count. Undefined when there is no such server. Rejects with a `ConfigurationError`; nothing changes then.
   */
  change(slug: string, patch: McpServerPatch): Promise<McpServerRow | undefined>
  remove(slug: string): Promise<boolean>
  /** Mappings for the server of this connection, guessed. Asks the server. */
  propose(connection: ConnectionRow, signal: AbortSignal): Promise<readonly ProposedMapping[]>
  /** Whether members may use a toolkit. True for one that no user added. */
  isShared(slug: string): boolean
  /** Whether the claims of this server count, also of one that comes with the program. */
  isTrusted(slug: string): boolean
}

export function createOwnServers(options: {
  readonly file: SettingsFile
  readonly connector: McpConnector
  /** Slugs of the servers that come with the program. */
  readonly presets: readonly string[]
  readonly sandbox: Sandbox
  readonly env: Environment
  /** Never part of a profile. */
  readonly dataFolder: string
}): OwnServers {
  const { file, connector, presets, sandbox, env, dataFolder } = options
  const connected = createConnectedServers({
    connector,
    presets,
    toConfig: (server) => toConfig(server, sandbox, env),
  })
  const { find, changeAll } = storedServers(file)
  // A change of another node waits until one of this node is stored and connected.
  const oneByOne = createOneByOne()
  const inOrder = <Value>(work: () => Promise<Value>): Promise<Value> => oneByOne('servers', work)
  const isTaken = (slug: string): boolean =>
    connector.servers().some((server) => server.slug === slug) || find(slug) !== undefined

  function preview(post: McpServerPost): McpServerPreview {
    checkTransport(post.transport)
    const command = toCommandLine(post.transport)
    const profile = post.transport.type === 'stdio' ? post.sandbox : undefined
    const shown = profile ? checkProfile(profile, dataFolder) : suggestProfile(post.transport, sandbox)
    return {
      slug: freeSlug(checkName(post.name), isTaken),
      ...(command === undefined ? undefined : { command }),
      ...(shown && { sandbox: shown, isConfined: sandbox.isConfining }),
    }
  }

  return {
    start(onProblem) {
      const match = () =>
        inOrder(() =>
          connected.match(file.document.mcpServers, (server, error) => onProblem(toUnusable(server, error))),
        )
      file.onOthersChange(() => void match().catch(onProblem))
      return match()
    },
    list: () => file.document.mcpServers.map((server) => toRow(server, sandbox)),
    preview,
    add: (post) =>
      inOrder(async () => {
        if (connector.servers().length - presets.length >= MAX_OWN_SERVERS)
          throw new ConfigurationError('name', 'there are too many servers; remove one first')
        const server = toOwnServer(post, preview(post), dataFolder)
        try {
          connected.add(server)
        } catch (error) {
          throw inOwnWords(error)
        }
        try {
          await changeAll((servers) => [...withoutTaken(servers, server.slug), server])
        } catch (error) {
          await connected.remove(server.slug)
          throw error
        }
        return toRow(server, sandbox)
      }),
    change: (slug, patch) =>
      inOrder(async () => {
        let changed: OwnServer | undefined
        await changeAll((servers) => {
          changed = undefined
          return servers.map((server) =>
            server.slug === slug ? (changed = withPatch(server, patch, dataFolder)) : server,
          )
        })
        if (!changed) return undefined
        await connected.change(changed)
        return toRow(changed, sandbox)
      }),
    isTrusted: (slug) => connector.servers().some((server) => server.slug === slug && server.isTrusted),
    remove: (slug) =>
      inOrder(async () => {
        if (!find(slug)) return false
        await changeAll((servers) => servers.filter((server) => server.slug !== slug))
        await connected.remove(slug)
        return true
      }),
    propose: (connection, signal) => connector.proposeMappings(connection, signal),
    isShared(slug) {
      if (presets.includes(slug)) return true
      const found = find(slug)
      return found === undefined || toRow(found, sandbox).shared
    },
  }
}

function storedServers(file: SettingsFile) {
  return {
    find: (slug: string): OwnServer | undefined =>
      file.document.mcpServers.find((server) => server.slug === slug),
    changeAll: (change: (servers: OwnServer[]) => OwnServer[]) =>
      file.change((document) => ({ ...document, mcpServers: change(document.mcpServers) })),
  }
}

/** Throws when another node has added a server with this slug meanwhile. */
function withoutTaken(servers: readonly OwnServer[], slug: string): readonly OwnServer[] {
  if (servers.some((server) => server.slug === slug))
    throw new ConfigurationError('name', 'was used for another server a moment ago; try again')
  return servers
}

function withPatch(
  server: OwnServer,
  { sandbox: profile, shared, isTrusted, sync }: McpServerPatch,
  dataFolder: string,
): OwnServer {
  const { sync: before, ...rest } = server
  const mapping = sync === undefined ? before : toMapping(sync)
  if (profile && server.transport.type !== 'stdio')
    throw new ConfigurationError('sandbox', 'only a server that is a command has one')
  return {
    ...rest,
    ...(mapping && { sync: mapping }),
    ...(profile && { sandbox: toStored(checkProfile(profile, dataFolder)) }),
    ...(shared === undefined ? undefined : { shared }),
    ...(isTrusted === undefined ? undefined : { isTrusted }),
  }
}

/** The server as it is stored. Throws when its command was not confirmed as it was shown. */
function toOwnServer(
  { name, transport, confirmedCommand, sync }: McpServerPost,
  { slug, command, sandbox: profile }: McpServerPreview,
  dataFolder: string,
): OwnServer {
  if (command !== undefined && confirmedCommand !== command)
    throw new ConfigurationError(
      'confirmedCommand',
      'is not the command that would be started; preview it again',
    )
  return {
    slug,
    name: checkName(name),
    transport: toOwnTransport(transport),
    shared: false,
    ...(profile && { sandbox: toStored(checkProfile(profile, dataFolder)) }),
    ...(sync && { sync: toMapping(sync) }),
  }
}

/** As it is stored. Throws a `ConfigurationError` that names the field, such as `sync.list.action`. */
const toMapping = (sync: SyncMapping | null): OwnServer['sync'] =>
  sync === null ? undefined : structuredClone(checkMapping(sync))

/** Why a stored server is skipped. Throws an error that is a bug. */
function toUnusable({ name }: OwnServer, error: unknown): Error {
  if (!(error instanceof ConfigurationError)) throw error
  const why = (inOwnWords(error) as ConfigurationError).message
  return new Error(`The MCP server "${name}" cannot be used: ${why}. Remove it and add it again.`)
}

function freeSlug(name: string, isTaken: (slug: string) => boolean): string {
  const wished =
    toSlug(name)
      .replaceAll(/[^a-z0-9_]/g, '')
      .slice(0, 56) || 'server'
  if (!isTaken(wished)) return wished
  for (let count = 2; ; count++) if (!isTaken(`${wished}_${count}`)) return `${wished}_${count}`
}

function checkName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || trimmed.length > 80)
    throw new ConfigurationError('name', 'must have 1 to 80 characters')
  refuseUnseen('name', trimmed)
  return trimmed
}

function checkTransport(transport: McpTransport): void {
  if (transport.type === 'http') {
    if (!URL.canParse(transport.url)) throw new ConfigurationError('transport.url', 'is not a URL')
    return
  }
  if (transport.command.trim() === '') throw new ConfigurationError('transport.command', 'must not be empty')
  refuseUnseen('transport.command', transport.command)
  for (const [index, word] of transport.args.entries()) refuseUnseen(`transport.args.${index}`, word)
}

/** Refuses characters that hide, reorder or break text: the confirmed command must be the visible one. */
function refuseUnseen(field: string, words: string): void {
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(words))
    throw new ConfigurationError(field, 'contains invisible characters')
}

function toOwnTransport(transport: McpTransport): OwnServer['transport'] {
  return transport.type === 'http'
    ? { type: 'http', url: transport.url }
    : { type: 'stdio', command: transport.command, args: [...transport.args] }
}

const toStored = ({
  folders,
  network,
  hosts,
  environment,
}: ServerProfile): NonNullable<OwnServer['sandbox']> => ({
  folders: folders.map((folder) => ({ ...folder })),
  network,
  hosts: [...hosts],
  environment: [...environment],
})

/** The command as a person would type it, with every argument quoted where needed. */
function toCommandLine(transport: McpTransport): string | undefined {
  if (transport.type === 'http') return undefined
  return [transport.command, ...transport.args].map(quote).join(' ')
}

const quote = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** Maps the connector's field names to those of the form: `servers.x.transport.url` to `transport.url`. */
function inOwnWords(error: unknown): unknown {
  if (!(error instanceof ConfigurationError)) return error
  const field = error.field.replace(/^servers\.[^.]+\./, '')
  return new ConfigurationError(field, error.message.slice(error.field.length + 2))
}
