import type { OutcomeFacts, ToolOutcome } from '@capstan/harness'
import { fail, succeed, sanitizeLine } from '@capstan/harness'
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import type { CalledTool } from '../sessions/session.ts'
import { describeVisit } from './describe-visit.ts'

/** What a tool answered, as text for a model. Pictures and files are named with their size, never written out. Pure. */
export function toOutcome({ result, wantedVisits }: CalledTool): ToolOutcome {
  const said = toText(result)
  const text = [said, ...wantedVisits.map(describeVisit)].filter((part) => part !== '').join('\n\n')
  if (result.isError !== true) return succeed(text === '' ? '(no output)' : text)
  // What it lacks is a person who goes there, and only a person decides that.
  const facts: OutcomeFacts = wantedVisits.length > 0 ? { errorCode: 'missing_permission' } : {}
  return fail(text === '' ? 'The action failed and gave no reason.' : text, facts)
}

function toText({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(describeBlock).filter((part) => part !== '')
  if (structuredContent !== undefined && !isAlreadySaid(structuredContent, content)) {
    parts.push(JSON.stringify(structuredContent))
  }
  return parts.join('\n\n')
}

// Most servers repeat their structured answer as text, for older clients: as JSON, or in words of their own.
function isAlreadySaid(structured: unknown, content: readonly ContentBlock[]): boolean {
  const said = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  if (said === '') return false
  return leavesOf(structured).every(
    (leaf) => said.includes(leaf) || said.includes(JSON.stringify(leaf).slice(1, -1)),
  )
}

function leavesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  return [String(value)]
}

function describeBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type}: ${sanitizeLine(block.mimeType, 80)}, ${toSize(bytesOf(block.data))}]`
    case 'resource_link': {
      const size = block.size === undefined ? '' : `, ${toSize(block.size)}`
      const name = sanitizeLine(block.title ?? block.name, 120)
      return `[link: ${name}, ${sanitizeLine(block.uri, 500)}${block.mimeType === undefined ? '' : `, ${sanitizeLine(block.mimeType, 80)}`}${size}]`
    }
    case 'resource': {
      const { resource } = block
      const uri = sanitizeLine(resource.uri, 500)
      if ('text' in resource) return `${uri}:\n${resource.text}`
      return `[file: ${uri}, ${sanitizeLine(resource.mimeType ?? 'unknown type', 80)}, ${toSize(bytesOf(resource.blob))}]`
    }
    default:
      return `[something of the unknown type ${sanitizeLine(String((block as { type: unknown }).type), 40)}]`
  }
}

const bytesOf = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4)

function toSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
