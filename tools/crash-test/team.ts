import type { AgentDefinition } from '@capstan/harness'
import { INSTRUCTIONS } from './planned-model.ts'

const READER: AgentDefinition = {
  id: 'reader',
  description: 'Only looks.',
  instructions: INSTRUCTIONS,
  effectCeiling: 'read',
}
const worker = (n: number, ...agents: readonly AgentDefinition[]): AgentDefinition => ({
  id: `worker${n}`,
  description: 'Works.',
  instructions: INSTRUCTIONS,
  agents,
})

/** The sub-agents of a turn: three levels of workers, and one that only looks. */
export const TEAM = [worker(1, worker(2, worker(3), READER), READER), READER]
