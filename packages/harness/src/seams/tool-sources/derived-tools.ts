import type { NoticeFact } from '@capstan/protocol'
import type { Surface } from '../../turn/tool/surface.ts'
import { nextSurfaceVersion } from '../../turn/tool/surface.ts'
import type { Tool } from '../../turn/tool/tool.ts'
import type { Knowledge, ToolSource } from '../seams.ts'

/**
 * A source with extra tools, which are listed again whenever the source changes. When two tools have one name, the
 * one that was there first stays, also after later changes.
 */
export function joinTools(source: ToolSource, extra: () => readonly Tool[]): ToolSource {
  let ourNames: ReadonlySet<string> | undefined
  const addTo = (inner: Surface): ReadonlyMap<string, Tool> => {
    // A third party's tool never takes the name of one of ours.
    const taken = new Set(
      inner.names().filter((name) => !inner.resolve({ tool: name, arguments: {} }).tool?.isThirdParty),
    )
    const all = extra()
    ourNames ??= new Set(all.map(({ name }) => name).filter((name) => !taken.has(name)))
    const tools = new Map<string, Tool>()
    for (const tool of all) if (ourNames.has(tool.name) && !tools.has(tool.name)) tools.set(tool.name, tool)
    return tools
  }
  return derive(
    source,
    (inner) => {
      const ours = addTo(inner)
      return {
        version: nextSurfaceVersion(),
        tools: [...inner.tools.filter(({ name }) => !ours.has(name)), ...ours.values()],
        resolve(call) {
          const target = inner.resolve(call)
          const tool = target.via === undefined ? ours.get(target.name) : undefined
          return tool ? { ...target, tool } : target
        },
        names: () => [...inner.names().filter((name) => !ours.has(name)), ...ours.keys()],
      }
    },
    (name) => ourNames?.has(name) === true,
  )
}

/**
 * Resolves a name the source does not know to the tool that `find` picks for it: one of the source, by name, or
 * another.
 */
export function aliasTools(
  source: ToolSource,
  find: (name: string, names: readonly string[]) => string | Tool | undefined,
): ToolSource {
  return derive(
    source,
    (inner) => ({
      version: nextSurfaceVersion(),
      tools: inner.tools,
      resolve(call) {
        const target = inner.resolve(call)
        const meant = target.tool ? undefined : find(target.name, inner.names())
        if (meant === undefined) return target
        if (typeof meant === 'object') return { ...target, name: meant.name, tool: meant }
        return inner.resolve({ tool: meant, arguments: target.arguments })
      },
      names: () => inner.names(),
    }),
    () => false,
  )
}

/**
 * Restricts a source to the tools that `allows` accepts. No name or `call_tool` reaches an excluded tool. The baseline
 * and other notices of the source are dropped, because they may mention excluded tools.
 */
export function narrowTools(source: ToolSource, allows: (name: string, via?: string) => boolean): ToolSource {
  return derive(
    onlyTools(source),
    (inner) => ({
      version: nextSurfaceVersion(),
      tools: inner.tools.filter(({ name }) => allows(name)),
      resolve(call) {
        const target = inner.resolve(call)
        return allows(target.name, target.via) ? target : { ...target, tool: undefined }
      },
      names: () => inner.names().filter((name) => allows(name)),
    }),
    (name) => !allows(name),
  )
}

function onlyTools(source: ToolSource): ToolSource {
  return {
    current(since) {
      const { surface, notices } = source.current(since)
      return { surface, notices: notices.filter(({ fact }) => fact && isToolFact(fact)) }
    },
  }
}

// Shared by all derived sources: a conversation may continue under a new source derived from the same inner one.
const innerOf = new WeakMap<Surface, Surface>()

// One outer surface per inner surface, so an unchanged inner surface gives the same outer object.
function derive(
  source: ToolSource,
  build: (inner: Surface) => Surface,
  hides: (name: string) => boolean,
): ToolSource {
  const outerOf = new WeakMap<Surface, Surface>()
  return {
    current(since) {
      const before = since && innerOf.get(since)
      const { notices, ...offer } = source.current(before)
      const inner = offer.surface
      const surface = toOuter(inner)
      if (notices.length === 0) return { ...offer, surface, notices }
      const hidden = [...(before?.names() ?? []), ...inner.names()].filter(hides)
      const visible = notices.filter(({ fact }) => !(fact && isToolFact(fact) && hidden.includes(fact.name)))
      return { ...offer, surface, notices: visible }
    },
    ...(source.recall ? { recall: (announced) => toOuter(source.recall!(announced)) } : undefined),
  }

  function toOuter(inner: Surface): Surface {
    let surface = outerOf.get(inner)
    if (!surface) {
      const built = build(inner)
      surface = {
        ...built,
        ...(inner.announced && source.recall ? { announced: inner.announced } : undefined),
        ...prepareThrough(inner, toOuter),
      }
      outerOf.set(inner, surface)
      innerOf.set(surface, inner)
    }
    return surface
  }
}

/** The `prepare` of a surface that is made from another, if that one has it. */
export function prepareThrough(
  inner: Surface,
  toOuter: (inner: Surface) => Surface,
): Pick<Surface, 'prepare'> {
  if (!inner.prepare) return {}
  return { prepare: (calls, context) => inner.prepare?.(calls, context)?.then(toOuter) }
}

const isToolFact = ({ kind }: NoticeFact): boolean => kind === 'tool-added' || kind === 'tool-removed'

/** A source whose agent is also told what `knowledge` says: at the start, and at every change. */
export function informTools(source: ToolSource, knowledge: Knowledge): ToolSource {
  const outerOf = new WeakMap<Surface, Surface>()

  /** The same object while neither the tools nor what is told changed. */
  function toOuter(inner: Surface, announced: readonly string[]): Surface {
    const last = outerOf.get(inner)
    if (last?.announced?.join('\n') === announced.join('\n')) return last
    const surface: Surface = {
      ...inner,
      version: nextSurfaceVersion(),
      announced,
      ...prepareThrough(inner, (prepared) => ({ ...prepared, announced })),
    }
    outerOf.set(inner, surface)
    innerOf.set(surface, inner)
    return surface
  }

  return {
    recall: (announced) => toOuter(source.current().surface, announced),
    current(since) {
      const offer = source.current(since && innerOf.get(since))
      const { announced = since?.announced ?? [], notices, ...known } = knowledge.current(since?.announced)
      const surface = toOuter(offer.surface, announced)
      return { ...offer, ...known, surface, notices: [...offer.notices, ...notices] }
    },
  }
}
