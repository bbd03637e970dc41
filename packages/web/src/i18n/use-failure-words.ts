import { FAILURE_CATEGORIES } from '@capstan/protocol'
import type { Failure, FailureClass, FailureDetail, RunStatus } from '@capstan/protocol'
import { en } from './en/index.ts'
import { useFormatters } from './use-formatters.ts'
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
  failure: Pick<Failure, 'class' | 'detail' | 'remedy' | 'tries'>,
  of: 'call' | 'model',
  stage?: FailureStage,
) => FailureWords {
  const t = useT()
  const format = useFormatters()
  const toAmount = (detail: FailureDetail): string => {
    if (!('unit' in detail)) return ''
    return detail.unit === 'usd' ? format.currency(detail.limit) : t('ui.tokens', { count: detail.limit })
  }
  return ({ class: kind, detail, remedy, tries }, of, stage = 'running') => {
    const name = t(`failures.classes.${kind}.name`)
    if (remedy) {
      const facts = { ...remedy, kind: t(`connections.scopes.${remedy.effect}.name`) }
      return { name, why: t('failures.allow.why', facts), next: t('failures.allow.next', facts) }
    }
    if (isWordedDetail(detail)) {
      const facts = { agent: 'agent' in detail ? detail.agent : '', amount: toAmount(detail) }
      const group = `failures.details.${detail.kind}` as const
      return { name, why: t(`${group}.why`, facts), next: t(`${group}.next`) }
    }
    const isModel = of === 'model' && isWordedForModels(kind)
    const group = isModel ? (`model.${kind}` as const) : (`classes.${kind}` as const)
    const ended = isModel ? undefined : endedKey(kind, stage)
    const why = t(`failures.${group}.why`)
    return {
      name,
      why: tries === undefined ? why : `${why} ${t('failures.tried', { tries })}`,
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

// A newer server may know more kinds.
function isWordedDetail(detail: Failure['detail']): detail is FailureDetail {
  return detail !== undefined && Object.hasOwn(en.failures.details, detail.kind)
}

function isWordedForModels(kind: FailureClass): kind is WordedForModels {
  return kind in en.failures.model
}
