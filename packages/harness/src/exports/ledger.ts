// The ledger read back: reports of runs and transcripts of threads.
export { explainRun, explainThread } from '../ledger/report/explain-run.ts'
export { toCost, toCount, toDuration, toTokens } from '../ledger/report/quantities.ts'
export { renderRunReport } from '../ledger/report/render-run-report.ts'
export type { RenderReportOptions, ReportLine } from '../ledger/report/render-run-report.ts'
export type {
  ReportApproval,
  ReportCall,
  ReportCallStatus,
  ReportCost,
  ReportEnding,
  ReportFailure,
  ReportIteration,
  ReportMessage,
  ReportPrefixBreak,
  ReportStep,
  ReportSubAgentCost,
  RunReport,
} from '../ledger/report/run-report.ts'
export { revealArguments } from '../ledger/reveal-arguments.ts'
export { toSnapshot } from '../ledger/report/to-snapshot.ts'
export { runToMarkdown, toJsonl, toMarkdown } from '../ledger/transcript/transcript.ts'
