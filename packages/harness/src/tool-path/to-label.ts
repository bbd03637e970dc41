import type { Target } from '../turn/surface.ts'
import type { Tool } from '../turn/tool.ts'

/** What the timeline calls this call. A tool's own label that throws, or is none, is ignored: it is only a label. */
export function toLabel({ tool, name, arguments: args }: Target): { label: string; detail?: string } {
  try {
    const own = tool?.label?.(args)
    if (typeof own?.label === 'string') return own
  } catch {}
  if (!tool) return { label: sentence(name) }
  let label = labels.get(tool)
  if (!label) labels.set(tool, (label = { label: sentence(name) }))
  return label
}

const labels = new WeakMap<Tool, { readonly label: string }>()

const sentence = (name: string): string => {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
