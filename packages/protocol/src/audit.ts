import type { CallId, RunId, ThreadId } from './ids.ts'

/** What an audit line is about. */
export type AuditAction =
  /** A call that changes something is about to run. */
  | 'call-start'
  /** A call ended, or was refused. */
  | 'call-end'
  | 'approval-request'
  | 'approval-answer'
  | 'grant-add'
  | 'grant-remove'
  | 'thread-delete'
  | 'setting-change'
  /** MCP servers. Of an address only the origin is kept, of a command only the program. */
  | 'server-add'
  | 'server-change'
  | 'server-remove'
  /** Named secrets, without their values. */
  | 'secret-put'
  | 'secret-remove'
  | 'member-add'
  | 'member-change'
  | 'member-remove'
  /** Items or facts of memory were deleted. Says how many, and of which app; never what they said. */
  | 'memory-forget'
  /** A browser logged in; `userId` is whoever it is logged in as. */
  | 'login'
  | 'login-end'
  | 'hold'
  | 'release'
  /** The contents of a data folder were moved here. The lines before it were in the log of the folder. */
  | 'store-move'
  /** Lines that were written before were found missing or changed. */
  | 'chain-break'

/** One line of the audit log. Never holds arguments, output or secrets. */
export interface AuditLine {
  readonly at: number
  readonly userId: string
  readonly action: AuditAction
  readonly threadId?: ThreadId
  readonly runId?: RunId
  readonly callId?: CallId
  /** The tool, the setting, the approval, the app: what the action is about. */
  readonly subject?: string
  readonly facts?: Readonly<Record<string, string | number | boolean>>
}

/** A stored line. Lines of one commit share a number. */
export interface NumberedAuditLine extends AuditLine {
  readonly no: number
}

/** Something wrong with the audit log. */
export interface AuditProblem {
  /** The number of the row. */
  readonly no: number
  readonly kind: 'edited' | 'missing' | 'unsealed' | 'reported'
  /** In plain words, with what is known of the row. */
  readonly text: string
}

/** The result of a check of the whole audit log. */
export interface AuditCheck {
  readonly ok: boolean
  /** How many rows were checked one by one. */
  readonly rows: number
  /** The first row of the chain. Rows before it are covered by one digest. */
  readonly first: number
  readonly problems: readonly AuditProblem[]
}
