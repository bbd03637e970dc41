import type { Conversation } from '../context/conversation.ts'
import type { OutputFormat, TurnOutput } from '../engine/structured-output.ts'
import type { ToolSource } from '../seams/seams.ts'
import { prepareThrough } from '../seams/tool-sources/derived-tools.ts'
import type { Surface } from '../turn/tool/surface.ts'
import { nextSurfaceVersion } from '../turn/tool/surface.ts'
import type { Tool } from '../turn/tool/tool.ts'

/** The plain surface of each surface that has a result tool. */
const plainOf = new WeakMap<Surface, Surface>()

/** One source per inner source and format, so that unchanged tools stay the same objects from turn to turn. */
const sources = new WeakMap<ToolSource, WeakMap<OutputFormat, ToolSource>>()

/** Adds the result tool to a source. Returns the source unchanged when the provider makes the structured output itself. */
export function withResultTool(source: ToolSource, { by, format }: TurnOutput): ToolSource {
  if (by === 'provider') return source
  const known = sources.get(source) ?? new WeakMap<OutputFormat, ToolSource>()
  sources.set(source, known)
  const tools = known.get(format) ?? addTool(source, format.tool)
  known.set(format, tools)
  return tools
}

/** Removes the result tool of an earlier turn from the conversation's surface, so that this turn's source knows it. */
export function forgetResultTool(conversation: Conversation): void {
  const { surface } = conversation
  const plain = surface && plainOf.get(surface)
  if (plain) conversation.surface = plain
}

function addTool(source: ToolSource, tool: Tool): ToolSource {
  const outerOf = new WeakMap<Surface, Surface>()
  const toOuter = (plain: Surface): Surface => {
    let surface = outerOf.get(plain)
    if (!surface) {
      surface = {
        version: nextSurfaceVersion(),
        tools: [...plain.tools.filter(({ name }) => name !== tool.name), tool],
        resolve: (call) => (call.tool === tool.name ? { ...plain.resolve(call), tool } : plain.resolve(call)),
        names: () => [...plain.names().filter((name) => name !== tool.name), tool.name],
        ...(plain.announced ? { announced: plain.announced } : undefined),
        ...prepareThrough(plain, toOuter),
      }
      outerOf.set(plain, surface)
      plainOf.set(surface, plain)
    }
    return surface
  }
  return {
    current(since) {
      const offer = source.current(since && (plainOf.get(since) ?? since))
      return { ...offer, surface: toOuter(offer.surface) }
    },
    ...(source.recall ? { recall: (announced) => toOuter(source.recall!(announced)) } : undefined),
  }
}
