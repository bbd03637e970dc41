import { HONEST_WAITING } from './honest-waiting.ts'
import { HONEST_WORK } from './honest-work.ts'
import { LOOPING_CIRCLES } from './looping-circles.ts'
import { LOOPING_FAILURES } from './looping-failures.ts'
import { LOOPING_READS } from './looping-reads.ts'
import type { LabelledTrace } from './trace.ts'

/** Every trace whose right verdict is known. */
export const ALL_TRACES: readonly LabelledTrace[] = [
  ...LOOPING_FAILURES,
  ...LOOPING_READS,
  ...LOOPING_CIRCLES,
  ...HONEST_WAITING,
  ...HONEST_WORK,
]
