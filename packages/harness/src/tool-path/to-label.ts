import type { Target } from '../turn/surface.ts'

/** What the timeline calls this call. A tool's own label that throws is ignored: it is only a label. */
export function toLabel({ tool, name, arguments: args }: Target): { label: string; detail?: string } {
  try {
    if (tool?.label) return tool.label(args)
  } catch {}
  return { label: sentence(name) }
}

const sentence = (name: string): string => {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
