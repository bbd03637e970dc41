import type { Guard } from './guard.ts'
import { createIdenticalFailingCallGuard } from './identical-failing-call.ts'

/** What is on unless somebody turns it off. Fresh counters for every run. */
export const createDefaultGuards = (): readonly Guard[] => [createIdenticalFailingCallGuard()]
