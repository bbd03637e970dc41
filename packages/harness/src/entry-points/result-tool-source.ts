import type { Conversation } from '../context/conversation.ts'
import type { OutputFormat, TurnOutput } from '../engine/structured-output.ts'
import type { ToolSource } from '../seams/seams.ts'
import type { Surface } from '../turn/surface.ts'
import { nextSurfaceVersion } from '../turn/surface.ts'
import type { Tool } from '../turn/tool.ts'

/** The surface without the result tool, for each that has one. */
const plainOf = new WeakMap<Surface, Surface>()

/** Once per source and form, so that what is unchanged stays the same object from turn to turn. */
const sources = new WeakMap<ToolSource, WeakMap<OutputFormat, ToolSource>>()

/** The tools of a source, and the one by which a result is handed over where the provider cannot be asked for it. */
export function withResultTool(source: ToolSource, { by, format }: TurnOutput): ToolSource {
  if (by === 'provider') return source
  const known = sources.get(source) ?? new WeakMap<OutputFormat, ToolSource>()
  sources.set(source, known)
  const tools = known.get(format) ?? addTool(source, format.tool)
  known.set(format, tools)
  return tools
}

/** A form may be asked for in one turn and not in the next: the source of this turn must know its own surface again. */
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
        tools: [...plain.tools, tool],
        resolve: (call) => (call.tool === tool.name ? { ...plain.resolve(call), tool } : plain.resolve(call)),
        names: () => [...plain.names(), tool.name],
        ...(plain.announced ? { announced: plain.announced } : undefined),
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
