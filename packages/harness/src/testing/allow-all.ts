import type { SafetyOptions } from '../entry-points/tool-services.ts'

/** Allows every call without approval. For tests that are not about approvals. */
export const ALLOW_ALL: SafetyOptions = { mode: 'full', rules: [{ tool: '*', decision: 'allow' }] }
