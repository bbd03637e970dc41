import type { McpServerConfig } from '@capstan/connectors'
import { createComposioConnector, createMcpConnector } from '@capstan/connectors'
import type { ModelClient } from '@capstan/harness'
import type { RequestTracer } from '@capstan/harness/connectors'
import type { Integrations, RefreshFailure } from '@capstan/harness/integrations'
import type { Asker } from '@capstan/harness/models'
import type { Sandbox } from '@capstan/harness/sandbox'
import type { Clock } from '@capstan/harness/seams'
import type { SecretVault, Store } from '@capstan/harness/stores'
import { createIntegrations } from '@capstan/harness/integrations'
import { generateOnce } from '@capstan/harness/models'
import type { Environment } from '../settings/choose-model.ts'
import type { SettingsFile } from '../settings/settings-file.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { AssistantOptions } from './assistant-options.ts'
import type { OwnServers } from './own-servers.ts'
import { createOwnServers } from './own-servers.ts'

const COMPOSIO = 'composio'

/** The apps of an installation: MCP servers, Composio and the connectors of the program. */
export interface ConnectedApps {
  readonly integrations: Integrations
  /** MCP servers that users added. */
  readonly servers: OwnServers
  /** Connects Composio with the key that is set now, or disconnects it without one. */
  refreshComposio(): Promise<void>
}

export async function connectApps(options: {
  readonly store: Store
  /** The vault of the store; what goes through it becomes a known secret. */
  readonly vault: SecretVault
  readonly file: SettingsFile
  readonly settings: SettingsStore
  /** The user to whom added servers belong. */
  readonly ownerId: string
  readonly presets: readonly McpServerConfig[]
  readonly connectors: NonNullable<AssistantOptions['connectors']>
  /** Answers questions about large results. */
  readonly model: () => ModelClient
  readonly env: Environment
  readonly folder: string
  readonly sandbox: Sandbox
  readonly clock: Clock
  /** Follows requests to MCP servers. Absent: telemetry is off. */
  readonly tracer?: RequestTracer
  readonly onProblem: (problem: unknown) => void
}): Promise<ConnectedApps> {
  const { store, vault, file, settings, ownerId, presets, connectors, env, sandbox, clock, onProblem } =
    options
  const shared = store.locks ? { locks: store.locks } : undefined
  const mcp = createMcpConnector({
    servers: presets,
    vault,
    clock,
    sandbox,
    ...shared,
    ...(options.tracer ? { tracer: options.tracer } : undefined),
    onProblem: ({ toolkit, message }) => onProblem(new Error(`${toolkit}: ${message}`)),
  })
  const servers = createOwnServers({
    file,
    connector: mcp,
    presets: presets.map(({ slug }) => slug),
    sandbox,
    env,
    dataFolder: options.folder,
  })
  await servers.start(onProblem)
  const integrations = createIntegrations({
    connectors: [mcp, ...(typeof connectors === 'function' ? connectors(vault) : connectors)],
    store: store.connections,
    ...shared,
    canUse: (userId, toolkit) => userId === ownerId || servers.isShared(toolkit),
    artifacts: store.artifacts,
    ask: createLiveAsker(options.model),
    clock,
    onRefreshFailure: (failure) => onProblem(new Error(toSentence(failure))),
  })

  async function refreshComposio(): Promise<void> {
    await integrations.removeConnector(COMPOSIO)
    const apiKey = settings.composioKey
    if (apiKey === undefined) return
    const baseUrl = env['COMPOSIO_BASE_URL']
    const address = baseUrl ? { baseUrl } : undefined
    await integrations.addConnector(
      createComposioConnector({ id: COMPOSIO, apiKey, vault, clock, ...address }),
    )
  }
  // Only with a key: a connector of the program may have this id.
  if (settings.composioKey !== undefined) await refreshComposio()
  return { integrations, servers, refreshComposio }
}

const NOT_READ = {
  apps: 'its apps could not be listed',
  actions: 'its actions could not be listed',
  connection: 'the state of a connection could not be read',
} as const satisfies Record<RefreshFailure['what'], string>

const toSentence = ({ what, source, toolkit }: RefreshFailure): string =>
  `${toolkit === undefined ? source : `${toolkit} (${source})`}: ${NOT_READ[what]}`

/** Asks the model that is set at the time of the question. */
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
