import { sanitizeLine } from '@capstan/harness/connectors'
import type { ContentBlock } from '@modelcontextprotocol/client'

/** A block of a tool's answer as text for a model. Images and files become one line with type and size. Pure. */
export function describeBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type}: ${sanitizeLine(block.mimeType, 80)}, ${toSize(base64Bytes(block.data))}]`
    case 'resource_link': {
      const size = block.size === undefined ? '' : `, ${toSize(block.size)}`
      const name = sanitizeLine(block.title ?? block.name, 120)
      const type = block.mimeType === undefined ? '' : `, ${sanitizeLine(block.mimeType, 80)}`
      return `[link: ${name}, ${sanitizeLine(block.uri, 500)}${type}${size}]`
    }
    case 'resource': {
      const { resource } = block
      const uri = sanitizeLine(resource.uri, 500)
      if ('text' in resource) return `${uri}:\n${resource.text}`
      const type = sanitizeLine(resource.mimeType ?? 'unknown type', 80)
      return `[file: ${uri}, ${type}, ${toSize(base64Bytes(resource.blob))}]`
    }
    default:
      return `[a block of the unknown type ${sanitizeLine(String((block as { type: unknown }).type), 40)}]`
  }
}

/** How many bytes a base64 text stands for. Pure. */
export const base64Bytes = (base64: string): number =>
  Math.floor((base64.replace(/={1,2}$/, '').length * 3) / 4)

function toSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
