export {
  SCRIPTED_USAGE,
  ScriptedModel,
  calls,
  callsMany,
  cuts,
  drips,
  empty,
  fails,
  malformedCall,
  raw,
  says,
  stalls,
} from './scripted-model.ts'
export type { ReplyOptions, ScriptedCall, ScriptedReply, Step } from './scripted-model.ts'
export { createTestClock } from './test-clock.ts'
export type { TestClock } from './test-clock.ts'
export { recordEvents } from './record-events.ts'
export type { RecordedEvents } from './record-events.ts'
export { chatReply, startProviderServer } from './provider-server.ts'
export type { ProviderAnswer, ProviderReply, ProviderRequest, ProviderServer } from './provider-server.ts'
export { stubTool } from './stub-tool.ts'
export { createTestRun } from './test-run.ts'
export { findUnpairedCalls } from './find-unpaired-calls.ts'
export { finish, handMadeModel, text } from './hand-made-model.ts'
export { createTestPath } from './test-path.ts'
export { tryTool } from './try-tool.ts'
export { collectGarbage, longestBlockMs } from './event-loop.ts'
export { ALLOW_ALL } from './allow-all.ts'
export { createSupervisedRun, stubGate } from './supervised-run.ts'
export { FAULT_POINTS, createFaults, faultyModel, faultyStore, faultyTool, faultyWatcher } from './faults.ts'
export type { Fault, FaultOptions, FaultPoint, Faults } from './faults.ts'
export { checkInvariants } from './check-invariants.ts'
export type { InvariantOptions } from './check-invariants.ts'
export { withoutFrame } from '../text/untrusted-frame.ts'
export { sampleDocx, samplePdf, zipOf } from './sample-documents.ts'
export { createSyncedApp } from './synced-app.ts'
export type { SyncedApp } from './synced-app.ts'
