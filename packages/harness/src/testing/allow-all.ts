import type { SafetyOptions } from '../entry-points/tool-services.ts'

/** Nobody has to be asked about anything. For tests of what is not about asking. */
export const ALLOW_ALL: SafetyOptions = { mode: 'full', rules: [{ tool: '*', decision: 'allow' }] }
