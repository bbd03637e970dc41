import type { Notice } from '@capstan/protocol'
import { neutralise } from '../../text/neutralise.ts'
import { isRecord } from '../../turn/json.ts'
import type { Surface } from '../../turn/tool/surface.ts'
import { nextSurfaceVersion } from '../../turn/tool/surface.ts'
import { findShadow, foldName, withoutShadows } from '../../turn/tool/reserved-names.ts'
import type { Tool } from '../../turn/tool/tool.ts'
import { defineTool, toJsonSchema } from '../../turn/tool/tool.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import type { ToolSource } from '../seams.ts'

/** A tool source whose tools may be added and removed while a turn runs. */
export interface LiveTools extends ToolSource {
  /** Adds a tool, usable from the next model call on. False: the name is taken or looks like one that is. */
  add(tool: Tool): boolean
  /** Removes a tool. False: there is no tool of that name. */
  remove(name: string): boolean
}

/** Options of `createLiveTools`. */
export interface LiveToolsOptions {
  /** Tools that are callable from the start, by name and through `call_tool`, but not sent with the request. */
  readonly unlisted?: readonly Tool[]
}

/** The name of the tool that calls other tools by name. */
export const CALL_TOOL = 'call_tool'

/**
 * Creates a source whose initial tools are sent with every request. A later tool is announced by a notice and called
 * through `call_tool`, so the tools of the request never change and the provider's prompt cache stays valid. A removed
 * tool is announced too; a call to it is answered as an unknown tool.
 */
export function createLiveTools(
  initial: readonly Tool[] = [],
  { unlisted = [] }: LiveToolsOptions = {},
): LiveTools {
  const known = new Map<string, Tool>()
  /** By what a reader sees of the name. */
  const seen = new Map<string, Tool>()
  for (const tool of withoutShadows([...initial, ...unlisted])) take(tool)
  const callableOf = new WeakMap<Surface, ReadonlyMap<string, Tool>>()
  let offered: readonly Tool[] | undefined
  let surface: Surface | undefined

  return {
    current(since) {
      if (!surface) {
        const callable = new Map(known)
        offered ??= [...[...known.values()].filter((tool) => !unlisted.includes(tool)), callTool]
        surface = toSurface(offered, callable)
        callableOf.set(surface, callable)
      }
      const before = since && since !== surface ? callableOf.get(since) : undefined
      return { surface, notices: before ? changes(before, known) : NONE }
    },
    add(tool) {
      const taken = take(tool)
      if (taken) surface = undefined
      return taken
    },
    remove(name) {
      const gone = known.delete(name)
      if (gone) seen.delete(foldName(name))
      if (gone) surface = undefined
      return gone
    },
  }

  function take(tool: Tool): boolean {
    if (known.has(tool.name) || tool.name === CALL_TOOL || findShadow(tool, seen)) return false
    toJsonSchema(tool.input) // throws here, so that an invalid schema is the caller's error and not the turn's
    known.set(tool.name, tool)
    seen.set(foldName(tool.name), tool)
    return true
  }
}

// The tool path never runs this tool: a surface resolves `call_tool` to the tool it names.
const callTool: Tool = defineTool({
  name: CALL_TOOL,
  description:
    'Calls a tool that became available during the conversation. A notice gives its name and arguments.',
  input: {
    type: 'object',
    properties: { name: { type: 'string' }, arguments: { type: 'object' } },
    required: ['name', 'arguments'],
  },
  run: () => fail('Name a tool from a notice.', { errorCode: 'unknown_tool' }),
})

function toSurface(tools: readonly Tool[], callable: ReadonlyMap<string, Tool>): Surface {
  return {
    version: nextSurfaceVersion(),
    tools,
    resolve(call) {
      if (call.tool !== CALL_TOOL) {
        return { name: call.tool, arguments: call.arguments, tool: callable.get(call.tool) }
      }
      const { name, arguments: args } = call.arguments
      // The schema check of `call_tool` itself tells the model what is missing.
      if (typeof name !== 'string' || !isRecord(args)) {
        return { name: CALL_TOOL, arguments: call.arguments, tool: callTool }
      }
      return { name, arguments: args, tool: callable.get(name) }
    },
    names: () => [...callable.keys()],
  }
}

const NONE: readonly Notice[] = []

function changes(before: ReadonlyMap<string, Tool>, now: ReadonlyMap<string, Tool>): readonly Notice[] {
  const notices: Notice[] = []
  for (const name of before.keys()) {
    if (now.has(name)) continue
    notices.push({
      text: `The tool "${name}" is no longer available. Do not call it.`,
      fact: { kind: 'tool-removed', name },
    })
  }
  for (const [name, tool] of now) {
    if (before.get(name) === tool) continue
    notices.push({
      text:
        `The tool "${name}" is available from now on: ${neutralise(tool.description)} Call it through ${CALL_TOOL} ` +
        `with name "${name}" and arguments of this shape: ${neutralise(JSON.stringify(toJsonSchema(tool.input)))}`,
      fact: { kind: 'tool-added', name },
    })
  }
  return notices
}
