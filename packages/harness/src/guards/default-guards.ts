import { createConsecutiveFailuresGuard } from './consecutive-failures.ts'
import { createGoingInCirclesGuard } from './going-in-circles.ts'
import type { Guard } from './guard.ts'
import { createIdenticalBatchGuard } from './identical-batch.ts'
import { createIdenticalFailingCallGuard } from './identical-failing-call.ts'
import { createIdenticalOutputGuard } from './identical-output.ts'
import { createIdenticalRefusedCallGuard } from './identical-refused-call.ts'
import { createIdenticalReplyGuard } from './identical-reply.ts'
import { createPingPongGuard } from './ping-pong.ts'
import { createSeenCalls } from './seen-calls.ts'
import { createUnrecoverableInferenceGuard } from './unrecoverable-inference.ts'

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
