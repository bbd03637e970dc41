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
 * What is on unless somebody turns it off. Fresh counters for every run. What was seen stands first, since the
 * others ask it; the more a guard knows about what is wrong, the earlier it stands, since the first to halt answers.
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
