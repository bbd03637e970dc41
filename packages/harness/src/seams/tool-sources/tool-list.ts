import type { Tool } from '../../turn/tool/tool.ts'
import type { ToolSource } from '../seams.ts'
import type { LiveTools } from './live-tools.ts'
import { createLiveTools } from './live-tools.ts'

/**
 * Creates a tool source from a function that lists the current tools. The tools of the first list are sent with every
 * request. Later tools are announced and called through `call_tool`, so the prompt never changes. When `list` throws,
 * the entry point keeps the last tools.
 */
export function createToolSource(list: () => readonly Tool[]): ToolSource {
  let live: LiveTools | undefined
  let known = new Map<string, Tool>()

  function update(tools: LiveTools): void {
    const next = byName(list())
    for (const [name, tool] of known) if (next.get(name) !== tool) tools.remove(name)
    for (const [name, tool] of next) if (known.get(name) !== tool) tools.add(tool)
    known = next
  }

  return {
    current(since) {
      if (!live) {
        known = byName(list())
        live = createLiveTools([...known.values()])
      } else update(live)
      return live.current(since)
    },
  }
}

/** Keeps the first of two tools with one name. */
function byName(tools: readonly Tool[]): Map<string, Tool> {
  const named = new Map<string, Tool>()
  for (const tool of tools) if (!named.has(tool.name)) named.set(tool.name, tool)
  return named
}
