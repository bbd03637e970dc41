import { join } from 'node:path'
import type { McpServerConfig } from '@capstan/connectors'
import { createComposioConnector, createMcpConnector } from '@capstan/connectors'
import type { Pace } from '@capstan/demo'
import { CALM, createDemoModel } from '@capstan/demo'
import type { Asker, Clock, ModelClient, Threads } from '@capstan/harness'
import { generateOnce, createIntegrations, quietClock } from '@capstan/harness'
import type { Settings, SettingsPatch, ThreadId } from '@capstan/protocol'
import { VERSION } from '@capstan/protocol'
import { openEmbeddedStore } from '@capstan/stores'
import type { Environment } from '../settings/choose-model.ts'
import { findLocalModel } from '../settings/find-local-model.ts'
import { createSettingsStore } from '../settings/settings-store.ts'
import { openSettingsFile } from '../settings/settings-file.ts'
import type { Assistant, Update } from './assistant.ts'
import { diagnose } from './diagnose.ts'
import { createOwnServers } from './own-servers.ts'
import { testModel } from './test-model.ts'
import { createUserAgent, readAgents } from './user-agent.ts'
import { createUserThreads, summarise } from './user-threads.ts'

export interface AssistantOptions {
  /** Everything is in here. Made if it is not there. */
  readonly folder: string
  readonly env: Environment
  /** Servers that come with the program, such as the demo app. Nobody can remove them. */
  readonly presets?: readonly McpServerConfig[]
  /** Hears of what failed while nobody waited for it, and of what a person should know. Never a secret. */
  readonly onProblem: (problem: unknown, threadId?: ThreadId) => void
  /** By name, until somebody sets another. Throws a `ConfigurationError` at once when it cannot be had. */
  readonly modelName?: string
  /** Where the built web app lies, for the diagnostics. */
  readonly webRoot?: string
  /** Whether turns that were interrupted go on. Default true. */
  readonly resumes?: boolean
  readonly clock?: Clock
  /** For tests: this one, whatever the settings say. */
  readonly model?: ModelClient
  /** How long the demo model takes over things. Default: so that people can follow it. */
  readonly demoPace?: Pace
}

/** Who a question about a large result is paid by, and whose keys it uses. */
const OWNER = 'local'
const COMPOSIO = 'composio'

/**
 * Everything of one installation, put together. Turns that were interrupted are running again when it settles. Rejects
 * with a `StoreError` when the folder cannot be used, and with a `ConfigurationError` that names what cannot work.
 */
export async function createAssistant(options: AssistantOptions): Promise<Assistant> {
  const { folder, env, presets = [], onProblem, clock = quietClock } = options
  const store = openEmbeddedStore({ folder, env, clock })
  try {
    return await assemble()
  } catch (error) {
    await store.close()
    throw error
  }

  async function assemble(): Promise<Assistant> {
    for (const notice of store.notices) onProblem(new Error(notice))
    const file = openSettingsFile(folder, () => clock.now())
    for (const notice of file.notices) onProblem(new Error(notice))
    const settings = await createSettingsStore({
      folder,
      file,
      vault: store.connections.vault,
      env,
      version: VERSION,
      hasDemoApp: presets.length > 0,
      ...(options.modelName === undefined ? undefined : { model: options.modelName }),
      ...(options.model ? { client: options.model } : undefined),
      demo: createDemoModel(options.demoPace ?? CALM),
      findLocal: () => findLocalModel(env),
      onProblem,
    })
    if (options.modelName !== undefined) settings.makeModel(OWNER, options.modelName)

    const { vault } = store.connections
    const mcp = createMcpConnector({
      servers: presets,
      vault,
      clock,
      onProblem: ({ toolkit, message }) => onProblem(new Error(`${toolkit}: ${message}`)),
    })
    const presetSlugs = presets.map(({ slug }) => slug)
    const servers = createOwnServers({ file, connector: mcp, presets: presetSlugs })
    servers.start(onProblem)
    const integrations = createIntegrations({
      connectors: [mcp],
      store: store.connections,
      artifacts: store.artifacts,
      ask: createLiveAsker(() => settings.model(OWNER).client),
      clock,
    })
    async function switchComposio(): Promise<void> {
      await integrations.removeConnector(COMPOSIO)
      const apiKey = settings.composioKey
      const baseUrl = env['COMPOSIO_BASE_URL']
      if (apiKey === undefined) return
      const more = baseUrl ? { baseUrl } : undefined
      await integrations.addConnector(
        createComposioConnector({ id: COMPOSIO, apiKey, vault, clock, ...more }),
      )
    }
    await switchComposio()
    const { agents, problems } = await readAgents(join(folder, 'agents'), store)
    for (const { file: name, line, problem } of problems)
      onProblem(new Error(`agents/${name}${line === undefined ? '' : `:${line}`}: ${problem}`))

    const listeners = new Set<(update: Update) => void>()
    const users = new Map<string, Threads>()
    let settingsVersion = 0

    function publish(update: Update): void {
      for (const listener of listeners) {
        try {
          listener(update)
        } catch (error) {
          onProblem(error)
        }
      }
    }

    function threadsOf(userId: string): Threads {
      let threads = users.get(userId)
      if (!threads) {
        threads = createUserThreads({
          userId,
          store,
          bus: integrations.bus,
          agent: createUserAgent({ userId, store, settings, integrations, agents }),
          model: () => settings.model(userId).client,
          settingsVersion: () => settingsVersion,
          publish,
          onProblem,
          clock,
        })
        users.set(userId, threads)
        // Whose apps are known hears of changes to them, and has them ready for the first turn.
        void integrations.prewarm(userId)
      }
      return threads
    }

    const unsubscribe = integrations.bus.subscribe((event) => {
      const { userId } = event
      if (event.type === 'connections-changed')
        publish({ userId, type: 'connection-change', connection: event.connection })
      publish({ userId, type: 'toolkits-change' })
    })

    async function disconnectAll(userId: string, isMeant: (toolkit: string) => boolean): Promise<void> {
      for (const { id, toolkit } of await integrations.connections.list(userId))
        if (isMeant(toolkit)) await integrations.connections.disconnect(userId, id)
    }

    /** One after the other: each begins with what the last one left. */
    let changing: Promise<unknown> = Promise.resolve()
    async function changeSettings(userId: string, patch: SettingsPatch): Promise<Settings> {
      const changed = await settings.change(userId, patch)
      settingsVersion++
      if (patch.composioKey !== undefined) await switchComposio()
      publish({ userId, type: 'settings-change' })
      return changed
    }

    let stopping: Promise<void> | undefined
    async function stop({ graceMs }: { readonly graceMs?: number } = {}): Promise<void> {
      unsubscribe()
      const grace = graceMs === undefined ? {} : { graceMs }
      await Promise.all([...users.values()].map((threads) => threads.stop(grace)))
      await integrations.close()
      await store.close()
    }

    threadsOf(OWNER)
    if (options.resumes !== false)
      for (const userId of await usersWithWork()) await threadsOf(userId).resume()

    async function usersWithWork(): Promise<ReadonlySet<string>> {
      const found = new Set<string>()
      for (const { threadId } of await store.runs.unfinished()) {
        const thread = await store.threads.get(threadId)
        if (thread) found.add(thread.userId)
      }
      for (const { userId } of await store.threads.withQueued()) found.add(userId)
      return found
    }

    return {
      store,
      integrations,
      threadsOf,
      summarise: (userId, threadId) => summarise(store, userId, threadId),
      onUpdate(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      readSettings: (userId) => settings.read(userId),
      changeSettings(userId, patch) {
        const changed = changing.then(() => changeSettings(userId, patch))
        changing = changed.catch(() => undefined)
        return changed
      },
      testModel(userId, name) {
        const asked = name?.trim() || undefined
        const { client } = settings.model(userId)
        const make = () => (asked === undefined ? client : settings.makeModel(userId, asked))
        return testModel(asked ?? client.id, make, clock)
      },
      listMcpServers: () => servers.list(),
      previewMcpServer: (post) => servers.preview(post),
      addMcpServer: async (_, post) => servers.add(post),
      async removeMcpServer(userId, slug) {
        if (!servers.list().some((server) => server.slug === slug)) return false
        if (!presetSlugs.includes(slug)) await disconnectAll(userId, (toolkit) => toolkit === slug)
        return servers.remove(slug)
      },
      diagnose() {
        const [demoApp] = presets.flatMap(({ transport }) =>
          transport.type === 'http' ? [transport.url] : [],
        )
        return diagnose({
          userId: OWNER,
          folder,
          store,
          integrations,
          model: settings.model(OWNER),
          now: () => clock.now(),
          ...(demoApp === undefined ? undefined : { demoAppUrl: demoApp }),
          ...(options.webRoot === undefined ? undefined : { webRoot: options.webRoot }),
        })
      },
      async reset(userId) {
        const threads = threadsOf(userId)
        for (const archived of [false, true]) {
          for (;;) {
            const page = await threads.list({ archived, limit: 100 })
            for (const { id } of page) await threads.delete(id)
            if (page.length === 0) break
          }
        }
        for (const tool of await store.approvals.listAlwaysAllowed(userId))
          await store.approvals.forgetAlwaysAllowed(userId, tool)
        await disconnectAll(userId, () => true)
      },
      stop: (stopOptions) => (stopping ??= stop(stopOptions)),
    }
  }
}

/** Questions about large results go to the model that is set when they are asked. */
function createLiveAsker(model: () => ModelClient): Asker {
  return {
    get model() {
      return model().id
    },
    get contextWindow() {
      return model().abilities.contextWindow
    },
    ask: (question) => generateOnce(model(), question),
  }
}
