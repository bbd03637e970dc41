import type { DataLabel, Effect, Tool } from '../turn/tool/tool.ts'
import { destinationNames } from '../turn/tool/destination-names.ts'
import type { FlowTool } from './data-flow.ts'

const BOTH: readonly DataLabel[] = ['private', 'untrusted']

/**
 * The facts about a tool that the data-flow rule needs. What a tool declares counts. A tool that declares nothing returns
 * both kinds of data, and its destinations are guessed from the names of its arguments. `inherited` stands for the labels
 * of such a tool's results.
 */
export function toFlowTool(tool: Tool, effect: Effect, inherited: readonly DataLabel[] = BOTH): FlowTool {
  const { name, description, returns = BOTH } = tool
  return {
    name,
    description,
    effect,
    returns: returns === 'inherited' ? inherited : returns,
    destinations: destinationNames(tool, effect),
  }
}
