import type { DataLabel, Effect, Tool } from '../turn/tool/tool.ts'
import { destinationNames, propertiesOf } from '../turn/tool/destination-names.ts'
import type { FlowTool, ResultText } from './flow-types.ts'

const BOTH: readonly DataLabel[] = ['private', 'untrusted']

/**
 * The facts about a tool that the data-flow rule needs. What a tool declares counts. A tool that declares nothing returns
 * both kinds of data, and its destinations are guessed from the names of its arguments. `inherited` stands for the labels
 * of such a tool's results.
 */
export function toFlowTool(tool: Tool, effect: Effect, inherited: readonly DataLabel[] = BOTH): FlowTool {
  const { name, description, returns = BOTH } = tool
  const text = wordingOf(tool)
  return {
    name,
    description,
    effect,
    returns: returns === 'described' ? [] : typeof returns === 'string' ? inherited : returns,
    destinations: destinationNames(tool, effect),
    ...(text && { text }),
  }
}

const CODE_ARGUMENT =
  /^(?:command|commands|cmd|script|sql|expression|program|source_?code|python|javascript)$/i
const RUNS_CODE = /(?:^|[^a-z])(?:run|exec|execute|eval|evaluate)(?:[^a-z]|$)/i

const wordings = new WeakMap<Tool, ResultText | 'given'>()

/** Where the text of a tool's results comes from, if not from outside. */
export function wordingOf(tool: Tool): ResultText | undefined {
  let wording = wordings.get(tool)
  if (!wording) wordings.set(tool, (wording = findWording(tool) ?? 'given'))
  return wording === 'given' ? undefined : wording
}

function findWording(tool: Tool): ResultText | undefined {
  if (tool.returns === 'repeated' || tool.returns === 'described') return tool.returns
  if (tool.returns === 'inherited' || tool.command) return 'made'
  const names = propertiesOf(tool)
  const runsCode = names.some(
    (name) => CODE_ARGUMENT.test(name) || (name === 'code' && RUNS_CODE.test(tool.name)),
  )
  return runsCode ? 'made' : undefined
}
