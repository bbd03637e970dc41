import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '@capstan/harness'
import { UNCONFINED } from '@capstan/harness/sandbox'
import type { ConnectionRow, Diagnostics, SignInReply, ToolkitList } from '@capstan/protocol'
import type { Assistant } from '@capstan/server'
import { messageOf } from '../shell/message-of.ts'
import type { Shell } from '../shell/shell.ts'
import { CommandError } from '../shell/shell.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import type { ServerAddress } from './server-file.ts'
import { openServerApi } from './call-server.ts'
import { findServer } from './server-file.ts'

const USER_ID = 'local'

/** What commands can ask of an assistant, with or without a running server. */
export interface AssistantAccess {
  /** Set when a server owns the folder. */
  readonly server?: ServerAddress
  toolkits(): Promise<ToolkitList>
  /** Begins a connection; undefined when there is no such toolkit. */
  begin(toolkit: string): Promise<ConnectionRow | undefined>
  signIn(connectionId: string): Promise<SignInReply>
  giveKey(connectionId: string, key: string): Promise<ConnectionRow>
  disconnect(connectionId: string): Promise<void>
  diagnose(): Promise<Diagnostics>
  close(): Promise<void>
}

/**
 * Opens the assistant of a data folder: over HTTP when a server owns the folder, otherwise in this process and without
 * resuming its turns. Throws a `CommandError` when another program owns the folder.
 */
export async function openAssistantAccess(home: string, shell: Shell): Promise<AssistantAccess> {
  const server = findServer(home)
  return server ? openOverHttp(home, server) : openInProcess(home, shell)
}

async function openOverHttp(home: string, server: ServerAddress): Promise<AssistantAccess> {
  const callServer = await openServerApi(home, server)
  return {
    server,
    toolkits: () => callServer((api) => api.toolkits()),
    begin: (toolkit) =>
      callServer(async (api) => {
        const { toolkits } = await api.toolkits()
        return toolkits.some(({ slug }) => slug === toolkit) ? api.connect(toolkit) : undefined
      }),
    signIn: (id) => callServer((api) => api.signIn(id)),
    giveKey: (id, key) => callServer((api) => api.giveKey(id, key)),
    disconnect: (id) => callServer((api) => api.disconnect(id)),
    diagnose: () => callServer((api) => api.diagnostics()),
    async close() {},
  }
}

async function openInProcess(home: string, shell: Shell): Promise<AssistantAccess> {
  if (!existsSync(join(home, 'capstan.db')))
    throw new CommandError(`There is no data in ${home} yet. Start with "capstan serve".`)
  const { createAssistant, readServerConfig } = await import('@capstan/server')
  let assistant: Assistant
  try {
    assistant = await createAssistant({
      folder: home,
      env: shell.env,
      resumes: false,
      ...(readServerConfig(home, shell.env).sandbox === 'off' ? { sandbox: UNCONFINED } : undefined),
      onProblem: (problem) => shell.stderr.write(`capstan: ${toPrintableLine(messageOf(problem))}\n`),
    })
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw new CommandError(error.message)
  }
  const { connections, directory } = assistant.integrations
  // There is no browser here, so only sign-ins that need none can be settled.
  const visitor = { userId: USER_ID, browserId: 'terminal', redirectUri: 'http://127.0.0.1/' }
  return {
    async toolkits() {
      const { toolkits, authoritative } = await directory.read(USER_ID)
      const all = await connections.list(USER_ID)
      const own = new Set(assistant.listMcpServers().map(({ slug }) => slug))
      return {
        authoritative,
        toolkits: await Promise.all(
          toolkits.map(async ({ slug, name, description, connector, auth }) => ({
            slug,
            name,
            description,
            connector,
            auth,
            connections: all.filter(({ toolkit }) => toolkit === slug),
            scopes: await assistant.store.connections.scopes(USER_ID, slug),
            isOwn: own.has(slug),
          })),
        ),
      }
    },
    begin: (toolkit) => connections.begin(USER_ID, toolkit),
    async signIn(id) {
      const { toolkits } = await directory.read(USER_ID)
      const row = await assistant.store.connections.get(id)
      if (toolkits.find(({ slug }) => slug === row?.toolkit)?.auth === 'key') return { type: 'key' }
      const answer = await connections.signIn(id, visitor)
      if (answer.type === 'refused') throw new CommandError(answer.reason)
      return answer
    },
    async giveKey(id, key) {
      await assistant.store.connections.vault.write(id, { key })
      const answer = await connections.signIn(id, visitor)
      if (answer.type !== 'settled') throw new CommandError('The app does not take a key.')
      return answer.connection
    },
    async disconnect(id) {
      await connections.disconnect(USER_ID, id)
    },
    diagnose: () => assistant.diagnose(),
    close: () => assistant.stop({ graceMs: 0 }),
  }
}
