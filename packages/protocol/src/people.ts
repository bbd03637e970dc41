import type { SpendingLimits } from './spending.ts'

/** The owner of the installation, or somebody whom the owner let in. */
export type Role = 'owner' | 'member'

/** Who is logged in, what they may do, and the version of the server. */
export interface Me {
  readonly userId: string
  readonly version: string
  readonly role: Role
  readonly can: UserRights
}

/** What a user may do beside their own conversations and connections. A screen offers only what is true here. */
export interface UserRights {
  /** Choose the model and set keys. */
  readonly changeModel: boolean
  /** Choose folders, and share them. */
  readonly changeFolders: boolean
  /** Use the safety mode `full`. */
  readonly useFullMode: boolean
  /** Add MCP servers, remove them and share them. */
  readonly manageServers: boolean
  readonly manageMembers: boolean
  readonly seeDiagnostics: boolean
}

/** A browser that is logged in. */
export interface LoginRow {
  readonly id: string
  /** Such as `Firefox on Linux`; blank when it is not known. */
  readonly device: string
  readonly createdAt: number
  readonly usedAt: number
  /** The login that sent this request. */
  readonly isThis: boolean
}

/** A user whom the owner let in. */
export interface MemberRow {
  readonly userId: string
  readonly addedAt: number
  /** How many browsers are logged in. */
  readonly logins: number
  /** Absent without a login. */
  readonly usedAt?: number
  readonly limits: UserLimits
  /** What their conversations take up, as measured within the last minute. */
  readonly storedBytes: number
}

/** What one member may use. */
export interface UserLimits extends SpendingLimits {
  readonly turnsAtOnce: number
  readonly messagesPerMinute: number
  readonly usdPerDay: number
  /** Conversations that are stored, archived ones included. */
  readonly threads: number
  /** What conversations, uploads and long outputs may take up together. */
  readonly storedMegabytes: number
}

/** A link that logs a member in once, within an hour. */
export interface MemberLink {
  readonly member: MemberRow
  readonly link: string
  /** The server knows no address of its own but a loopback one: the link works on its machine only. */
  readonly isLocalOnly: boolean
}
