import type { McpConnector, McpServerConfig } from '@capstan/connectors'
import { ConfigurationError, toSlug } from '@capstan/harness'
import type { McpServerPost, McpServerPreview, McpServerRow, McpTransport } from '@capstan/protocol'
import type { OwnServer, SettingsFile } from '../settings/settings-file.ts'
import { MAX_OWN_SERVERS } from '../settings/settings-file.ts'

/** MCP servers that users added. They are in the settings, and in the connector from the start. */
export interface OwnServers {
  /** Those of the settings. One that cannot work is told of and passed over: it keeps nothing else from starting. */
  start(onProblem: (problem: Error) => void): void
  list(): readonly McpServerRow[]
  /** Throws a `ConfigurationError` for what could never be added. Starts nothing. */
  preview(post: McpServerPost): McpServerPreview
  /** Rejects with a `ConfigurationError`; nothing is changed then. */
  add(post: McpServerPost): Promise<McpServerRow>
  remove(slug: string): Promise<boolean>
}

const toConfig = ({ slug, name, transport }: OwnServer): McpServerConfig => ({ slug, name, transport })

export function createOwnServers(options: {
  readonly file: SettingsFile
  readonly connector: McpConnector
  /** Slugs of what came with the program. */
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
        throw new ConfigurationError('name', 'there are so many servers already; remove one first')
      const { slug, command } = preview(post)
      if (command !== undefined && post.confirmedCommand !== command)
        throw new ConfigurationError(
          'confirmedCommand',
          'is not the command that would be started; look at it again',
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
    async remove(slug) {
      if (!file.document.mcpServers.some((server) => server.slug === slug)) return false
      await file.change((document) => ({
        ...document,
        mcpServers: document.mcpServers.filter((server) => server.slug !== slug),
      }))
      // One that was passed over may have the name of what came with the program.
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

/** What is confirmed must be what was seen: nothing that turns, hides or breaks the line. */
function refuseUnseen(field: string, words: string): void {
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(words))
    throw new ConfigurationError(field, 'holds characters that cannot be seen')
}

function toOwnTransport(transport: McpTransport): OwnServer['transport'] {
  return transport.type === 'http'
    ? { type: 'http', url: transport.url }
    : { type: 'stdio', command: transport.command, args: [...transport.args] }
}

/** What would be started, as a person would type it: nothing is hidden, and words cannot run into each other. */
function toCommandLine(transport: McpTransport): string | undefined {
  if (transport.type === 'http') return undefined
  return [transport.command, ...transport.args].map(quote).join(' ')
}

const quote = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** The connector names its own fields: `servers.x.transport.url` is `transport.url` to whoever filled in the form. */
function inOwnWords(error: unknown): unknown {
  if (!(error instanceof ConfigurationError)) return error
  const field = error.field.replace(/^servers\.[^.]+\./, '')
  return new ConfigurationError(field, error.message.slice(error.field.length + 2))
}
