import { createConsecutiveFailuresGuard } from './rules/consecutive-failures.ts'
import { createGoingInCirclesGuard } from './rules/going-in-circles.ts'
import type { Guard } from './guard.ts'
import { createIdenticalBatchGuard } from './rules/identical-batch.ts'
import { createIdenticalFailingCallGuard } from './rules/identical-failing-call.ts'
import { createIdenticalOutputGuard } from './rules/identical-output.ts'
import { createIdenticalRefusedCallGuard } from './rules/identical-refused-call.ts'
import { createIdenticalReplyGuard } from './rules/identical-reply.ts'
import { createPingPongGuard } from './rules/ping-pong.ts'
import { createSeenCalls } from './compare/seen-calls.ts'
import { createUnrecoverableInferenceGuard } from './rules/unrecoverable-inference.ts'

/**
 * The guards that are on by default, with new counters for every run. The list of seen calls is first, because the others
 * read it. The more specific a guard, the earlier it comes, because the first halt gives the answer.
 */
export function createDefaultGuards(): readonly Guard[] {
  const seen = createSeenCalls()
  return [
    seen,
    createUnrecoverableInferenceGuard(),
    createIdenticalRefusedCallGuard(),
    createIdenticalFailingCallGuard({}, seen),
    createConsecutiveFailuresGuard(undefined, seen),
    createIdenticalReplyGuard(seen),
    createIdenticalBatchGuard(seen),
    createIdenticalOutputGuard(seen),
    createPingPongGuard(seen),
    createGoingInCirclesGuard(seen),
  ]
}
