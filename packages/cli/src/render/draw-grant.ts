import type { Grant, GrantConstraints } from '@capstan/protocol'
import { wrap } from '../terminal/display-width.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import type { Style } from '../terminal/style.ts'
import { paint } from '../terminal/style.ts'

/** A grant in words: the tool, where it may send something, until when, and where it was given. */
export function drawGrant(grant: Grant, threadTitle: string | undefined, style: Style): readonly string[] {
  const { id, tool, binding, constraints, createdAt, threadId } = grant
  const name = `${binding.app?.name ?? 'This computer'} · ${tool}`
  const facts = [
    constraints ? `Only to ${toWords(constraints)}` : 'To any destination',
    toEnd(grant),
    `Given on ${toTime(createdAt)} in the conversation "${threadTitle || threadId}"`,
  ]
  return [
    ...wrap(toPrintableLine(name), style.width).map((line) => paint(style, 'bold', line)),
    paint(style, 'dim', `  ${toPrintableLine(id)}`),
    ...facts.flatMap((fact) => wrap(toPrintableLine(fact), style.width - 2).map((line) => `  ${line}`)),
  ]
}

/** Constraints on one line: `to: *@example.com`. */
export const toWords = (constraints: GrantConstraints): string =>
  Object.entries(constraints)
    .map(([argument, patterns]) => `${argument}: ${patterns.join(', ')}`)
    .join('; ')

function toEnd({ lifetime, expiresAt }: Grant): string {
  if (expiresAt !== undefined) return `Until ${toTime(expiresAt)}`
  return lifetime === 'thread' ? 'In this one conversation' : 'Until it is revoked'
}

const toTime = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ') + ' UTC'
