// What happens while nobody is talking to the assistant: envelopes, and the run that decides what becomes of one.
export { createEnvelope } from '../triage/envelope.ts'
export type { Envelope, EnvelopeSource } from '../triage/envelope.ts'
export { judgeEnvelope } from '../triage/judge-envelope.ts'
export type { JudgeOptions, Judgement } from '../triage/judge-envelope.ts'
export { SHOWN_EXAMPLES } from '../triage/triage-prompt.ts'
export type { TriageExample, TriageRules, TriageTarget } from '../triage/triage-prompt.ts'
