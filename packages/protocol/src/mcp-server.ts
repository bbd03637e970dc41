import type { SyncMapping } from './sync-mapping.ts'

/** How an MCP server is reached. */
export type McpTransport =
  | { readonly type: 'http'; readonly url: string }
  | { readonly type: 'stdio'; readonly command: string; readonly args: readonly string[] }

/** What a program on this machine may reach. Everything else is invisible to it. */
export interface ServerProfile {
  readonly folders: readonly ServerFolder[]
  /** `any` includes services on this machine. */
  readonly network: 'off' | 'hosts' | 'any'
  /** With the network `hosts`: `example.com`, `*.example.com`, `example.com:8080`. */
  readonly hosts: readonly string[]
  /** Names of variables that are passed on from the environment of the server. */
  readonly environment: readonly string[]
}

/** A folder that a program sees. */
export interface ServerFolder {
  readonly path: string
  readonly access: 'read' | 'write'
}

/** Whether programs are confined on this machine. The sentences are English. */
export interface Confinement {
  /** `off`: the owner has switched it off, and programs run with all rights of the user. */
  readonly state: 'works' | 'unavailable' | 'off'
  readonly found: string
  readonly next?: string
}

/** An MCP server to add. */
export interface McpServerPost {
  readonly name: string
  readonly transport: McpTransport
  /** For a command: exactly what `McpServerPreview.command` showed. Without it nothing is started. */
  readonly confirmedCommand?: string
  /** For a command. Absent: what the preview shows. */
  readonly sandbox?: ServerProfile
  /** How its items become items in memory. Absent: its resources do, if it has any. */
  readonly sync?: SyncMapping
}

/** A change of an MCP server. */
export interface McpServerPatch {
  /** For a command: what its program may reach. */
  readonly sandbox?: ServerProfile
  /** Whether members may use it. */
  readonly shared?: boolean
  /** Whether what it says about its actions counts. */
  readonly isTrusted?: boolean
  /** How its items become items in memory. Null: only its resources do. */
  readonly sync?: SyncMapping | null
}

/** What would be started, before anything is. */
export interface McpServerPreview {
  readonly slug: string
  readonly command?: string
  /** For a command: what it would be allowed to reach. */
  readonly sandbox?: ServerProfile
  /** For a command: false when confinement is switched off for this installation. */
  readonly isConfined?: boolean
}

/** A mapping that was guessed from the actions of a server. Nothing is synced with it until a person sets it. */
export interface ProposedMapping {
  readonly mapping: SyncMapping
  /** Fields that are only a convention, such as `list.next`. A person should look at them. */
  readonly unsure: readonly string[]
}

/** An MCP server that was added. */
export interface McpServerRow {
  readonly slug: string
  readonly name: string
  readonly transport: McpTransport
  /** Members may use it. Otherwise it exists for the owner alone. */
  readonly shared: boolean
  /** Whether the owner trusts what it says about its actions. */
  readonly isTrusted?: boolean
  /** How its items become items in memory, if a person said so. */
  readonly sync?: SyncMapping
  /** For a command. */
  readonly sandbox?: ServerProfile
  /** For a command: false when confinement is switched off for this installation. */
  readonly isConfined?: boolean
}
