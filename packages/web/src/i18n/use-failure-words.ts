import type { Failure, FailureClass } from '@capstan/protocol'
import { en } from './en/index.ts'
import { useT } from './use-t.ts'

export interface FailureWords {
  readonly name: string
  readonly why: string
  readonly next: string
}

type WordedForModels = keyof typeof en.failures.model

/** Words a failure in the language now spoken. `model`: it was a call of the AI model that failed, not an action. */
export function useFailureWords(): (failure: Pick<Failure, 'class'>, of: 'call' | 'model') => FailureWords {
  const t = useT()
  return (failure, of) => {
    const { class: kind } = failure
    const room =
      of === 'model' && isWordedForModels(kind) ? (`model.${kind}` as const) : (`classes.${kind}` as const)
    return {
      name: t(`failures.classes.${kind}.name`),
      why: t(`failures.${room}.why`),
      next: t(`failures.${room}.next`),
    }
  }
}

function isWordedForModels(kind: FailureClass): kind is WordedForModels {
  return kind in en.failures.model
}
