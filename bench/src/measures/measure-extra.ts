import type { ExtraName, MeasuredExtra } from './extra.ts'
import { measureConcurrentTurns } from './measure-concurrent-turns.ts'
import { measureNestedAgents } from './measure-nested-agents.ts'

export function measureExtra(extra: ExtraName): Promise<MeasuredExtra> {
  return extra === 'concurrent1000' ? measureConcurrentTurns(1000) : measureNestedAgents()
}
