import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '@capstan/harness'
import { UNCONFINED } from '@capstan/harness/sandbox'
import type {
  ActionEffect,
  ActionRow,
  ConnectionRow,
  Diagnostics,
  McpServerRow,
  SignInReply,
  ToolkitList,
} from '@capstan/protocol'
import type { Assistant } from '@capstan/server'
import { toErrorText } from '@capstan/harness/stages'
import type { Shell } from '../shell/shell.ts'
import { CommandError } from '../shell/shell.ts'
import { refuseBesideNodes } from '../store-access/open-store.ts'
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
  /** The actions of a connected app. Throws a `CommandError` that says why there are none. */
  actions(toolkit: string): Promise<readonly ActionRow[]>
  /** `null` takes the choice back. */
  setActionEffect(toolkit: string, action: string, effect: ActionEffect | null): Promise<void>
  setTrust(toolkit: string, isTrusted: boolean): Promise<McpServerRow>
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
    actions: async (toolkit) => (await callServer((api) => api.actions(toolkit))).actions,
    setActionEffect: (toolkit, action, effect) =>
      callServer(async (api) => {
        const { actions } = await api.actions(toolkit)
        const { digest } = requireAction(actions, action)
        await api.setActionEffect(toolkit, { action, effect, digest })
      }),
    setTrust: (toolkit, isTrusted) => callServer((api) => api.changeMcpServer(toolkit, { isTrusted })),
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
  refuseBesideNodes(shell.env)
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
      onProblem: (problem) => shell.stderr.write(`capstan: ${toPrintableLine(toErrorText(problem))}\n`),
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
            ...(connector === 'mcp' ? { isTrusted: assistant.isTrusted(slug) } : undefined),
          })),
        ),
      }
    },
    actions: (toolkit) => listActions(assistant, toolkit),
    async setActionEffect(toolkit, action, effect) {
      const { digest } = requireAction(await listActions(assistant, toolkit), action)
      const receipt = await assistant.integrations.actions.choose(USER_ID, toolkit, action, {
        effect,
        digest,
      })
      if (receipt !== 'set') throw new CommandError('The app changed meanwhile. Look at its actions again.')
      const subject = `effects.${toolkit}.${action}`
      await assistant.record(USER_ID, 'setting-change', subject, { to: effect ?? 'default' })
    },
    async setTrust(toolkit, isTrusted) {
      const server = await assistant.changeMcpServer(USER_ID, toolkit, { isTrusted })
      if (!server) throw new CommandError(`No MCP server was added as "${toPrintableLine(toolkit)}".`)
      return server
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

async function listActions({ integrations }: Assistant, toolkit: string): Promise<readonly ActionRow[]> {
  const listed = await integrations.actions.list(USER_ID, toolkit)
  if (listed.type === 'listed') return listed.actions
  const shown = toPrintableLine(toolkit)
  throw new CommandError(
    listed.type === 'unavailable'
      ? `The app "${shown}" did not answer. Try again later.`
      : `The app "${shown}" is not connected. "capstan toolkits" lists the apps.`,
  )
}

function requireAction(actions: readonly ActionRow[], name: string): ActionRow {
  const found = actions.find((action) => action.name === name)
  if (!found) throw new CommandError(`There is no action "${toPrintableLine(name)}" in this app.`)
  return found
}
