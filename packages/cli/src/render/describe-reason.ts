import type { ApprovalReason, ReadSource } from '@capstan/protocol'
import { toPrintableLine } from '../terminal/printable.ts'

/** Why the data-flow rule asks, as sentences: which texts may have led here, and where the call would send something. */
export function describeReason({ sources, destinations }: ApprovalReason): readonly string[] {
  const read = sources.map(describeSource).join('; ')
  const to = destinations.map((destination) => toPrintableLine(destination)).join(', ')
  return [
    'It asks because the conversation has read private data and text that others can write.',
    ...(read === '' ? [] : [`It comes after reading ${read}.`]),
    ...(to === '' ? [] : [`It would go to ${to}.`]),
  ]
}

function describeSource({ tool, app, name }: ReadSource): string {
  if (name !== undefined && /^https?:/i.test(name) && URL.canParse(name))
    return `a page from ${toPrintableLine(new URL(name).host)}`
  if (app !== undefined) return `in ${toPrintableLine(app)}`
  return name === undefined ? `a result of ${toPrintableLine(tool)}` : toPrintableLine(name)
}
