import type { OutcomeFacts, ToolOutcome } from '@capstan/harness'
import { fail, succeed } from '@capstan/harness'
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import type { CalledTool } from '../sessions/session.ts'
import { describeBlock } from './describe-block.ts'
import { describeVisit } from './describe-visit.ts'
import { hasBytes, toMedia } from './to-media.ts'

const MAX_COMPARED_CHARS = 20_000_000

/**
 * What a tool answered. Images and files travel as media, and each has a line in the text, so that a model that cannot
 * see them knows of them. Pure.
 */
export function toOutcome({ result, wantedVisits }: CalledTool): ToolOutcome {
  const isError = result.isError === true
  const media = isError ? new Map<ContentBlock, never>() : toMedia(result.content)
  const answer = toText(result, (block) => media.has(block))
  const text = [answer, ...wantedVisits.map(describeVisit)].filter((part) => part !== '').join('\n\n')
  if (!isError) {
    return succeed(text === '' ? '(no output)' : text, media.size > 0 ? { media: [...media.values()] } : {})
  }
  // A person would have to visit the page, and only a person decides that.
  const facts: OutcomeFacts = wantedVisits.length > 0 ? { errorCode: 'missing_permission' } : {}
  return fail(text === '' ? 'The action failed and gave no reason.' : text, facts)
}

function toText(
  { content, structuredContent }: CallToolResult,
  isAttached: (block: ContentBlock) => boolean,
): string {
  const parts = content
    .map((block) => {
      const line = describeBlock(block)
      return hasBytes(block) && !isAttached(block) ? line.replace(/\]$/, '; not attached]') : line
    })
    .filter((part) => part !== '')
  if (structuredContent !== undefined && !isRepeatedIn(content, structuredContent)) {
    parts.push(JSON.stringify(structuredContent))
  }
  return parts.join('\n\n')
}

// Most servers repeat their structured answer as text, for older clients: as JSON, or in words of their own.
function isRepeatedIn(content: readonly ContentBlock[], structured: unknown): boolean {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  if (text === '') return false
  const leaves = [...new Set(leavesOf(structured))]
  // Each of them may have to be looked for in the whole text.
  if (leaves.length * text.length > MAX_COMPARED_CHARS) return false
  return leaves.every((leaf) => text.includes(leaf) || text.includes(JSON.stringify(leaf).slice(1, -1)))
}

function leavesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  return [String(value)]
}
