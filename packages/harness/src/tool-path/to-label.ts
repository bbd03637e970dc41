import type { Target } from '../turn/tool/surface.ts'
import type { Tool } from '../turn/tool/tool.ts'
import type { KnownSecrets } from './scrub/known-secrets.ts'
import { scrubSecrets } from './scrub/scrub-secrets.ts'

/**
 * The label of a call in the timeline, scrubbed because it may contain arguments. A tool's own label that throws or is
 * blank or invalid is ignored.
 */
export function toLabel(
  { tool, name, arguments: args }: Target,
  secrets?: KnownSecrets,
): { label: string; detail?: string } {
  try {
    const own = tool?.label?.(args)
    if (typeof own?.label === 'string' && own.label.trim() !== '') {
      const { detail } = own
      const label = scrubSecrets(own.label, secrets)
      return typeof detail === 'string' ? { label, detail: scrubSecrets(detail, secrets) } : { label }
    }
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
