import type { StoredApproval } from '@capstan/harness/stores'
import { toDuration } from '@capstan/harness/ledger'
import { wrap } from '../terminal/display-width.ts'
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
  ]
}

/** The arguments of a call as JSON. */
export function drawArguments(args: unknown, style: Style): readonly string[] {
  return toJsonText(args)
    .split('\n')
    .flatMap((line) => {
      const indent = /^ */.exec(line)?.[0] ?? ''
      return wrap(line.trimStart(), style.width - 4 - indent.length).map((part) => `    ${indent}${part}`)
    })
}

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
    case 'allow-always':
      return `${requested}, always approved${ago}`
    case 'deny':
      return `${requested}, denied${ago}`
    case 'expired':
      return `${requested}, expired${ago}`
    case undefined:
      return now < expiresAt
        ? `${requested}, expires in ${toDuration(expiresAt - now)}`
        : `${requested}, expired`
  }
}
