import { markInvisible } from '@capstan/client'
import type { StoredApproval } from '@capstan/harness/stores'
import { toDuration } from '@capstan/harness/ledger'
import type { GrantConstraints, HiddenValue } from '@capstan/protocol'
import { wrap } from '../terminal/display-width.ts'
import { toWords } from './draw-grant.ts'
import { describeReason } from './describe-reason.ts'
import { marksOf } from './draw-timeline.ts'
import { toPrintableLine, toJsonText } from '../terminal/printable.ts'
import type { Style } from '../terminal/style.ts'
import { paint } from '../terminal/style.ts'

/** An approval with the exact arguments of the call. Nothing is cut. */
export function drawApproval(approval: StoredApproval, style: Style, now: number): readonly string[] {
  const { id, label, tool } = approval
  const name = toPrintableLine(label === tool ? tool : `${label} (${tool})`)
  return [
    ...wrap(name, style.width - 2).map((line, index) =>
      index === 0
        ? `${paint(style, 'yellow', marksOf(style).ask)} ${paint(style, 'bold', line)}`
        : `  ${paint(style, 'bold', line)}`,
    ),
    paint(style, 'dim', `  ${toPrintableLine(id)}`),
    ...wrap(toState(approval, now), style.width - 2).map((line) => paint(style, 'dim', `  ${line}`)),
    ...(approval.reason ? describeReason(approval.reason) : []).flatMap((line) =>
      wrap(line, style.width - 2).map((part) => `  ${part}`),
    ),
    ...drawArguments(approval.arguments, style),
    ...drawHidden(approval.hidden ?? [], style),
    ...drawLimits(approval.limits ?? [], style),
  ]
}

/** The values that are hidden as secrets: where, how long, and why. */
export function drawHidden(hidden: readonly HiddenValue[], style: Style): readonly string[] {
  return hidden
    .map(({ path, chars, source }) => {
      const why = source === 'stored' ? 'a credential that is stored here' : 'it looks like a secret'
      return `Hidden: ${path === '' ? 'the arguments' : path}, ${chars} characters (${why})`
    })
    .flatMap((line) => wrap(toPrintableLine(line), style.width - 4))
    .map((line) => paint(style, 'yellow', `    ${line}`))
}

/** The constraints that a longer yes may carry, numbered. */
export function drawLimits(limits: readonly GrantConstraints[], style: Style): readonly string[] {
  return limits
    .flatMap((limit, index) =>
      wrap(toPrintableLine(`Limit ${index + 1}: ${toWords(limit)}`), style.width - 4),
    )
    .map((line) => paint(style, 'dim', `    ${line}`))
}

/** The arguments of a call as JSON. Nothing is cut, and invisible characters are written as codes. */
export function drawArguments(args: unknown, style: Style): readonly string[] {
  return showInvisible(toJsonText(args))
    .split('\n')
    .flatMap((line) => {
      const indent = /^ */.exec(line)?.[0] ?? ''
      return wrap(line.trimStart(), style.width - 4 - indent.length).map((part) => `    ${indent}${part}`)
    })
}

const showInvisible = (json: string): string =>
  markInvisible(json)
    .map((part) => ('text' in part ? part.text : `<${part.code}>`))
    .join('')

function toState(
  { createdAt, expiresAt, decision, decidedAt, isIntact }: StoredApproval,
  now: number,
): string {
  if (!isIntact) return 'Changed after it was requested, so it is not valid'
  const requested = `Requested ${toDuration(now - createdAt)} ago`
  const ago = decidedAt === undefined ? '' : ` ${toDuration(now - decidedAt)} ago`
  switch (decision) {
    case 'allow-once':
      return `${requested}, approved once${ago}`
    case 'allow-thread':
      return `${requested}, approved for the conversation${ago}`
    case 'allow-hour':
      return `${requested}, approved for one hour${ago}`
    case 'allow-always':
      return `${requested}, always approved${ago}`
    case 'deny':
      return `${requested}, denied${ago}`
    case 'expired':
      return `${requested}, expired${ago}`
    case 'withdrawn':
      return `${requested}, withdrawn when the turn ended${ago}`
    case undefined:
      return now < expiresAt
        ? `${requested}, expires in ${toDuration(expiresAt - now)}`
        : `${requested}, expired`
  }
}
