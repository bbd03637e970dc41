import type { ApprovalReason, ReadSource } from '@capstan/protocol'
import { toPrintableLine } from '../terminal/printable.ts'

/** Why a call asks although the mode would allow it, as sentences. */
export function describeReason(reason: ApprovalReason): readonly string[] {
  if (reason.kind === 'repeat')
    return ['The same was already done in this turn. Allow it only if it should happen once more.']
  const { sources, destinations } = reason
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
