import type { McpServerConfig } from '@capstan/connectors'
import type { Pace } from '@capstan/demo'
import type {
  AgentDefinition,
  AgentOptions,
  ModelClient,
  PolicyFunction,
  SafetyMode,
  Tool,
  ToolRule,
} from '@capstan/harness'
import type { Connector } from '@capstan/harness/connectors'
import type { Embedder } from '@capstan/harness/models'
import type { Sandbox } from '@capstan/harness/sandbox'
import type { Clock } from '@capstan/harness/seams'
import type { SecretVault } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import type { Logger } from 'pino'
import type { DatabaseOptions } from '../cluster/open-node.ts'
import type { Environment } from '../settings/choose-model.ts'

/** What an assistant is made from. Only the folder is needed. */
export interface AssistantOptions {
  /** Holds all data of the installation. Created when it does not exist. */
  readonly folder: string
  /** Several nodes share this database. Default: an embedded store in the folder. */
  readonly database?: DatabaseOptions
  /** Where model names, keys, addresses and the settings of telemetry are looked up. Default `process.env`. */
  readonly env?: Environment
  /** What this assistant is for, before the general instructions of the agent that talks to the user. */
  readonly instructions?: string
  /** Tools of your own, beside the built-in ones. */
  readonly tools?: readonly Tool[]
  /** Exact `host:port` pairs that web pages may be read from although they are not public, such as a company's wiki. */
  readonly fetchHosts?: readonly string[]
  /** Sub-agents of your own, beside the built-in ones and those in the folder `agents/`. */
  readonly agents?: readonly AgentDefinition[]
  /** Apps of your own, beside MCP servers and Composio. A function receives the vault for connectors that keep keys. */
  readonly connectors?: readonly Connector[] | ((vault: SecretVault) => readonly Connector[])
  /** MCP servers that come with the program, such as the demo app. Users cannot remove them. */
  readonly presets?: readonly McpServerConfig[]
  /** Limits of every turn. Any limit may be given alone. */
  readonly limits?: AgentOptions['limits']
  /** Limits and models of sub-agents by their ids, built-in ones included. */
  readonly agentSettings?: AgentOptions['agentSettings']
  /** Rules per tool, over the safety mode: deny beats ask beats allow. A function decides after the mode. */
  readonly policy?: readonly ToolRule[] | PolicyFunction
  /** The safety mode of a user who has not set one. Default `supervised`. */
  readonly mode?: SafetyMode
  /** A model by name, until a user sets another. `createAssistant` rejects with a `ConfigurationError` if it is unusable. */
  readonly modelName?: string
  /** This model for every user, whatever the settings say. */
  readonly model?: ModelClient
  /** Makes vectors of what is in memory, whatever the settings say: `createEmbedder`, `fromAiSdkEmbedding`. Default: none. */
  readonly embedder?: Embedder
  /** How fast the demo model answers. Default: slow enough to follow. */
  readonly demoPace?: Pace
  /** Where the built web app is, for the diagnostics. */
  readonly webRoot?: string
  /** Whether interrupted turns resume at the start. Default true. */
  readonly resumes?: boolean
  /** Confines commands and MCP servers on this machine. Default: bubblewrap, with the folder above and the file of the key hidden. */
  readonly sandbox?: Sandbox
  /** Gets a line for each run that ended. Default: no log. */
  readonly logger?: Logger
  /** Receives background failures and notices for the operator; never a secret. Default: written to stderr. */
  readonly onProblem?: (problem: unknown, threadId?: ThreadId) => void
  readonly clock?: Clock
}
