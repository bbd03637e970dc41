import type { McpConnector, McpServerConfig } from '@capstan/connectors'
import { ConfigurationError } from '@capstan/harness'
import { toSlug } from '@capstan/harness/connectors'
import type { McpServerPost, McpServerPreview, McpServerRow, McpTransport } from '@capstan/protocol'
import type { OwnServer, SettingsFile } from '../settings/settings-file.ts'
import { MAX_OWN_SERVERS } from '../settings/settings-file.ts'

/** The MCP servers that users added, in the settings file and in the connector. */
export interface OwnServers {
  /** Adds the servers of the settings to the connector. Reports and skips an invalid one. */
  start(onProblem: (problem: Error) => void): void
  list(): readonly McpServerRow[]
  /** Throws a `ConfigurationError` for an invalid server. Starts nothing. */
  preview(post: McpServerPost): McpServerPreview
  /** Rejects with a `ConfigurationError`; nothing changes then. */
  add(post: McpServerPost): Promise<McpServerRow>
  remove(slug: string): Promise<boolean>
  /** Whether the claims of this server count, also of one that comes with the program. */
  isTrusted(slug: string): boolean
  /** Sets whether its claims about its actions count. Undefined when nobody added it. */
  setTrust(slug: string, isTrusted: boolean): Promise<McpServerRow | undefined>
}

const toConfig = ({ slug, name, transport, isTrusted }: OwnServer): McpServerConfig => ({
  slug,
  name,
  transport,
  isTrusted: isTrusted === true,
})

export function createOwnServers(options: {
  readonly file: SettingsFile
  readonly connector: McpConnector
  /** Slugs of the servers that come with the program. */
  readonly presets: readonly string[]
}): OwnServers {
  const { file, connector, presets } = options
  const isTaken = (slug: string): boolean =>
    connector.servers().some((server) => server.slug === slug) ||
    file.document.mcpServers.some((server) => server.slug === slug)

  function preview(post: McpServerPost): McpServerPreview {
    checkTransport(post.transport)
    const command = toCommandLine(post.transport)
    return { slug: freeSlug(checkName(post.name)), ...(command === undefined ? undefined : { command }) }
  }

  function freeSlug(name: string): string {
    const wished =
      toSlug(name)
        .replaceAll(/[^a-z0-9_]/g, '')
        .slice(0, 56) || 'server'
    if (!isTaken(wished)) return wished
    for (let count = 2; ; count++) if (!isTaken(`${wished}_${count}`)) return `${wished}_${count}`
  }

  return {
    start(onProblem) {
      for (const server of file.document.mcpServers) {
        try {
          connector.addServer(toConfig(server))
        } catch (error) {
          if (!(error instanceof ConfigurationError)) throw error
          const why = (inOwnWords(error) as ConfigurationError).message
          onProblem(
            new Error(`The MCP server "${server.name}" cannot be used: ${why}. Remove it and add it again.`),
          )
        }
      }
    },
    list: () => file.document.mcpServers,
    preview,
    async add(post) {
      if (connector.servers().length - presets.length >= MAX_OWN_SERVERS)
        throw new ConfigurationError('name', 'there are too many servers; remove one first')
      const { slug, command } = preview(post)
      if (command !== undefined && post.confirmedCommand !== command)
        throw new ConfigurationError(
          'confirmedCommand',
          'is not the command that would be started; preview it again',
        )
      const server: OwnServer = {
        slug,
        name: checkName(post.name),
        transport: toOwnTransport(post.transport),
      }
      try {
        connector.addServer(toConfig(server))
      } catch (error) {
        throw inOwnWords(error)
      }
      try {
        await file.change((document) => ({ ...document, mcpServers: [...document.mcpServers, server] }))
      } catch (error) {
        await connector.removeServer(slug)
        throw error
      }
      return server
    },
    isTrusted: (slug) => connector.servers().some((server) => server.slug === slug && server.isTrusted),
    async setTrust(slug, isTrusted) {
      if (!file.document.mcpServers.some((server) => server.slug === slug)) return undefined
      const change = (server: OwnServer) => (server.slug === slug ? { ...server, isTrusted } : server)
      const { mcpServers } = await file.change((document) => ({
        ...document,
        mcpServers: document.mcpServers.map(change),
      }))
      const found = mcpServers.find((server) => server.slug === slug)
      if (found && !presets.includes(slug)) connector.setTrust(slug, isTrusted)
      return found
    },
    async remove(slug) {
      if (!file.document.mcpServers.some((server) => server.slug === slug)) return false
      await file.change((document) => ({
        ...document,
        mcpServers: document.mcpServers.filter((server) => server.slug !== slug),
      }))
      // A skipped server may have the slug of a preset, which stays.
      if (!presets.includes(slug)) await connector.removeServer(slug)
      return true
    },
  }
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
