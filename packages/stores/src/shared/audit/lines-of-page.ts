import { toAuditLine } from '@capstan/harness/stores'
import type { AuditLine, ThreadRow } from '@capstan/protocol'
import { HOLDS_AUDIT, parseBody } from '../ledger/page-body.ts'

/** The audit lines in a page. `thread`: of the page, if it still exists. */
export function linesOfPage(
  { kinds, body }: { readonly kinds: number; readonly body: string },
  thread: Pick<ThreadRow, 'id' | 'userId'> | undefined,
): readonly AuditLine[] {
  if (kinds & HOLDS_AUDIT) return JSON.parse(body) as AuditLine[]
  return thread ? parseBody(body).flatMap((record) => toAuditLine(record, thread) ?? []) : []
}
