import type { Tool } from './tool.ts'

/** The names of the harness's own tools. No tool of a third party may have one of them. */
const RESERVED: ReadonlySet<string> = new Set(
  [
    'ask_user',
    'call_action',
    'call_tool',
    'clock',
    'close_agent',
    'connect_app',
    'continue_agent',
    'edit_file',
    'extract_from_result',
    'find_actions',
    'forget',
    'list_agents',
    'list_files',
    'memory_read',
    'memory_search',
    'propose_schedule',
    'read_artifact',
    'read_file',
    'remember',
    'search_files',
    'shell',
    'spawn_agent',
    'steer_agent',
    'submit_final_result',
    'wait_agent',
    'web_fetch',
    'write_file',
  ].map(foldName),
)
const DELEGATES = foldName('delegate_to_')

/** The characters that every provider allows in a name. */
const USABLE = /^[\w.:/-]{1,128}$/

/** A name without what a reader overlooks: case, separators, other forms of the same letter. Pure. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** Whether a name is, or looks like, the name of one of the harness's own tools. Pure. */
export function isReservedName(name: string): boolean {
  const folded = foldName(name)
  return RESERVED.has(folded) || folded.startsWith(DELEGATES)
}

/**
 * Why a tool of a third party cannot join others, given by their folded names: its name is, or looks like, the name of
 * another. Undefined for a tool that can, and for every tool that is not a third party's.
 */
export function findShadow(tool: Tool, others: ReadonlyMap<string, Tool>): string | undefined {
  if (!tool.isThirdParty) return undefined
  if (!USABLE.test(tool.name)) return 'its name has characters that cannot be used'
  if (isReservedName(tool.name)) return 'its name is kept for a tool of the harness'
  const other = others.get(foldName(tool.name))
  const isSameApp = other?.isThirdParty && toolkitOf(other) === toolkitOf(tool)
  return other && other !== tool && !isSameApp ? 'another tool has this name' : undefined
}

const toolkitOf = ({ app }: Tool): unknown => (typeof app === 'object' ? app.toolkit : app)

/** The tools without those of third parties that would shadow another. Each one left out is reported. */
export function withoutShadows(tools: readonly Tool[]): readonly Tool[] {
  if (!tools.some(({ isThirdParty }) => isThirdParty)) return tools
  const known = new Map(
    tools.filter(({ isThirdParty }) => !isThirdParty).map((tool) => [foldName(tool.name), tool]),
  )
  return tools.filter((tool) => {
    const problem = findShadow(tool, known)
    if (problem !== undefined) warnOfShadow(tool, problem)
    else if (tool.isThirdParty) known.set(foldName(tool.name), tool)
    return problem === undefined
  })
}

function warnOfShadow({ name }: Tool, problem: string): void {
  const shown = JSON.stringify(name.slice(0, 128))
  process.emitWarning(`a tool named ${shown} was left out: ${problem}`, 'CapstanToolName')
}
