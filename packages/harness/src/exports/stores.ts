// What we ask of a store, its in-memory form, and what another store is made of.
export type {
  ApprovalAnswer,
  ApprovalGate,
  ApprovalRequest,
  AskedBefore,
  WaitingCall,
} from '../ports/approval-gate.ts'
export type { Artifact, ArtifactSlice, ArtifactStore, ArtifactWriter } from '../ports/artifact-store.ts'
export { BLOCK_BYTES, cutSlice, toFetchRange } from '../ports/artifacts/artifact-bytes.ts'
export { createArtifactWriter } from '../ports/artifacts/artifact-writer.ts'
export type { BlockTarget } from '../ports/artifacts/artifact-writer.ts'
export { createFolderArtifacts } from '../ports/artifacts/folder-artifacts.ts'
export type { AuditStore } from '../ports/audit-store.ts'
export type { AuditLog, AuditRow } from '../ports/audit-log.ts'
export type {
  ConnectionChange,
  ChosenEffect,
  ConnectionStore,
  Secret,
  SecretVault,
  SignInFlow,
} from '../ports/connection-store.ts'
export { toItemTerms } from '../ports/item-search/item-terms.ts'
export { CONFIDENT_SCORE } from '../ports/item-search/score-item.ts'
export { searchItems } from '../ports/item-search/search-items.ts'
export type { ItemIndex } from '../ports/item-search/search-items.ts'
export { EVERY_ITEM, toTermKey } from '../ports/item-search/term-key.ts'
export { createNearestFinder } from '../ports/item-vectors/find-nearest.ts'
export type { NearestFinder } from '../ports/item-vectors/find-nearest.ts'
export { hasSameText, toPassages } from '../ports/item-vectors/passages.ts'
export { toSignBytes, toUnit, toVectorBytes } from '../ports/item-vectors/vector-bytes.ts'
export type {
  ClaimQuery,
  ClaimedJob,
  DueQuery,
  JobChange,
  JobClaim,
  JobEnd,
  JobQuery,
  JobRow,
  JobStore,
  NewJob,
} from '../ports/job-store.ts'
export { withoutMediaBytes } from '../ports/ledger.ts'
export type { Ledger, LedgerRecord, RecordOf, RunStart, StoredResult } from '../ports/ledger.ts'
export type { Locks } from '../ports/locks.ts'
export { makeFolder } from '../ports/make-folder.ts'
export { createMemoryApprovals } from '../ports/memory/memory-approvals.ts'
export type { MemoryApprovals } from '../ports/memory/memory-approvals.ts'
export { createMemoryArtifacts } from '../ports/memory/memory-artifacts.ts'
export type { MemoryArtifacts } from '../ports/memory/memory-artifacts.ts'
export { createMemoryAuditLog } from '../ports/memory/memory-audit-log.ts'
export { createMemoryConnectionStore } from '../ports/memory/memory-connection-store.ts'
export { createMemoryJobStore } from '../ports/memory/memory-job-store.ts'
export { createMemoryLocks } from '../ports/memory/memory-locks.ts'
export { createMemoryUserMemory } from '../ports/memory/memory-user-memory.ts'
export { createMemoryStore } from '../ports/memory/memory-store.ts'
export type { MemoryStore } from '../ports/memory/memory-store.ts'
export { checkAnswer, isPending } from '../ports/rows/approval-row.ts'
export { toAnswerLine, toAuditLine, toDeleteLine, toGrantLine } from '../ports/rows/audit-line.ts'
export { toCallRow } from '../ports/rows/call-row.ts'
export type { CallRecords } from '../ports/rows/call-row.ts'
export {
  toChangedJob,
  toClaim,
  toClaimedJob,
  toEndedJob,
  toNewJob,
  toRenewedJob,
  toSavedJob,
} from '../ports/rows/job-row.ts'
export type { StoredJob } from '../ports/rows/job-row.ts'
export { checkRunQuery } from '../ports/rows/run-query.ts'
export {
  toEndedRow,
  toResumedRow,
  toRunningRow,
  toStartedRow,
  toTouchedThread,
  toWaitingRow,
} from '../ports/rows/run-row.ts'
export { searchableText } from '../ports/rows/searchable-text.ts'
export { toThreadTitle } from '../ports/rows/thread-title.ts'
export type {
  ApprovalStore,
  OtherUsage,
  RunCursor,
  RunQuery,
  RunStore,
  Store,
  StoredApproval,
  ThreadHit,
  ThreadQuery,
  ThreadStore,
} from '../ports/store.ts'
export type { ThreadOwner, ThreadOwnership } from '../ports/thread-ownership.ts'
export type {
  MemoryHit,
  MemoryItem,
  MemoryQuery,
  MemorySearch,
  MemorySource,
  UserMemory,
} from '../ports/user-memory.ts'
export type { ItemVectors, NearItem, QueryVector, UserVectors } from '../ports/user-vectors.ts'
export { checkFactText } from '../ports/user-facts.ts'
export type { FactAdded, FactChange, UserFacts } from '../ports/user-facts.ts'
export { upgradeRecord } from '../ports/upgrade-record.ts'
export type { OldRecord } from '../ports/upgrade-record.ts'
export type { Destinations } from '../turn/grant/constraints.ts'
export { grantCovers, isAlive, toGrant, toRecordedDecision } from '../turn/grant/grant.ts'
export type { GrantCall, GrantQuery } from '../turn/grant/grant.ts'
export type { StoreProblem } from '../turn/errors.ts'
export { parseStored, toStored } from '../turn/message/stored-message.ts'
export type { StoredMessage } from '../turn/message/stored-message.ts'
export { sumUsage } from '@capstan/protocol'
export { letOthersRun } from '../turn/let-others-run.ts'
