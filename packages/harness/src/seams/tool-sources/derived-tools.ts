import type { Surface } from '../../turn/surface.ts'
import { nextSurfaceVersion } from '../../turn/surface.ts'
import type { Tool } from '../../turn/tool.ts'
import type { ToolSource } from '../seams.ts'

/** A source and some tools of our own. On a clash of names the source's tool stays. */
export function joinTools(source: ToolSource, extra: readonly Tool[]): ToolSource {
  return derive(source, (inner) => {
    const taken = new Set(inner.names())
    const added = new Map(extra.filter(({ name }) => !taken.has(name)).map((tool) => [tool.name, tool]))
    return {
      version: nextSurfaceVersion(),
      tools: [...inner.tools, ...added.values()],
      resolve(call) {
        const target = inner.resolve(call)
        return target.tool ? target : { ...target, tool: added.get(target.name) }
      },
      names: () => [...inner.names(), ...added.keys()],
    }
  })
}

/** The part of a source that `allows` lets through. A tool that is left out cannot be called by any way. */
export function narrowTools(source: ToolSource, allows: (name: string) => boolean): ToolSource {
  return derive(source, (inner) => ({
    version: nextSurfaceVersion(),
    tools: inner.tools.filter(({ name }) => allows(name)),
    resolve(call) {
      const target = inner.resolve(call)
      return allows(target.name) ? target : { ...target, tool: undefined }
    },
    names: () => inner.names().filter(allows),
  }))
}

// One outer surface per inner one, so that what is unchanged below stays the same object above.
function derive(source: ToolSource, build: (inner: Surface) => Surface): ToolSource {
  const outerOf = new WeakMap<Surface, Surface>()
  const innerOf = new WeakMap<Surface, Surface>()
  return {
    current(since) {
      const { surface: inner, notices } = source.current(since && innerOf.get(since))
      let surface = outerOf.get(inner)
      if (!surface) {
        surface = build(inner)
        outerOf.set(inner, surface)
        innerOf.set(surface, inner)
      }
      return { surface, notices }
    },
  }
}
