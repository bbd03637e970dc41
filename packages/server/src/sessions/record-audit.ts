import type { AuditAction, AuditLine } from '@capstan/protocol'

/** Adds a line to the audit log: who did what to what. Never with a secret. */
export type RecordAudit = (
  userId: string,
  action: AuditAction,
  subject: string,
  facts?: AuditLine['facts'],
) => void | Promise<void>
