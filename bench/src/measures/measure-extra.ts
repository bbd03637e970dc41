import type { ExtraName, MeasuredExtra } from './extra.ts'
import { measureConcurrentTurns } from './measure-concurrent-turns.ts'
import { measureLedger } from './measure-ledger.ts'
import { measureNestedAgents } from './measure-nested-agents.ts'
import { measureStages } from './measure-stages.ts'

const MEASURES: Readonly<Record<ExtraName, () => Promise<MeasuredExtra>>> = {
  concurrent1000: () => measureConcurrentTurns(1000),
  nested3: measureNestedAgents,
  stages: measureStages,
  ledger: measureLedger,
}

export function measureExtra(extra: ExtraName): Promise<MeasuredExtra> {
  return MEASURES[extra]()
}
