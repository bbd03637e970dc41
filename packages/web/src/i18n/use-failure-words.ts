import { FAILURE_CATEGORIES } from '@capstan/protocol'
import type { Failure, FailureClass, RunStatus } from '@capstan/protocol'
import { en } from './en/index.ts'
import { useT } from './use-t.ts'

export interface FailureWords {
  readonly name: string
  readonly why: string
  readonly next: string
}

/**
 * The stage of the turn in which the failure happened. A turn that ended retries nothing by itself; a turn that gave up
 * corrects nothing by itself.
 */
export type FailureStage = 'running' | 'over' | 'given-up'

export function stageOf(status: RunStatus): FailureStage {
  switch (status) {
    case 'running':
    case 'waiting':
      return 'running'
    case 'done':
    case 'capped':
    case 'needs-input':
      return 'over'
    case 'halted':
    case 'failed':
    case 'aborted':
      return 'given-up'
  }
}

type WordedForModels = keyof typeof en.failures.model

/** The text of a failure in the active language. `model`: a call of the AI model failed, not an action. */
export function useFailureWords(): (
  failure: Pick<Failure, 'class'>,
  of: 'call' | 'model',
  stage?: FailureStage,
) => FailureWords {
  const t = useT()
  return ({ class: kind }, of, stage = 'running') => {
    const isModel = of === 'model' && isWordedForModels(kind)
    const group = isModel ? (`model.${kind}` as const) : (`classes.${kind}` as const)
    const ended = isModel ? undefined : endedKey(kind, stage)
    return {
      name: t(`failures.classes.${kind}.name`),
      why: t(`failures.${group}.why`),
      next: t(ended ?? `failures.${group}.next`),
    }
  }
}

/** The text to use where the text of the class promises something that will no longer happen. */
function endedKey(kind: FailureClass, stage: FailureStage) {
  if (stage === 'running') return undefined
  if (kind === 'rate_limited') return 'failures.model.rate_limited.next' as const
  if (kind === 'timeout' || kind === 'service_unavailable') return 'failures.ended.later' as const
  const isFixable = FAILURE_CATEGORIES[kind] === 'fixable' && kind !== 'unsupported'
  return isFixable && stage === 'given-up' ? ('failures.ended.otherwise' as const) : undefined
}

function isWordedForModels(kind: FailureClass): kind is WordedForModels {
  return kind in en.failures.model
}
