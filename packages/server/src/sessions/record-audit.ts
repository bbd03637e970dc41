import type { AuditStore } from '@capstan/harness/stores'
import type { AuditAction, AuditLine } from '@capstan/protocol'

/** Adds a line to the audit log: who did what to what. Never with a secret. */
export type RecordAudit = (
  userId: string,
  action: AuditAction,
  subject?: string,
  facts?: AuditLine['facts'],
) => void | Promise<void>

export const createRecordAudit =
  (audit: AuditStore, now: () => number): RecordAudit =>
  (userId, action, subject, facts) =>
    audit.record({
      at: now(),
      userId,
      action,
      ...(subject === undefined ? undefined : { subject }),
      ...(facts && { facts }),
    })
