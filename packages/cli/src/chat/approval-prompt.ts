import type { AnswerReceipt, GrantConstraints, TurnEvent } from '@capstan/protocol'
import { readYesOrNo } from '@capstan/harness/stages'
import { drawArguments, drawHidden, drawLimits } from '../render/draw-approval.ts'
import { describeReason } from '../render/describe-reason.ts'
import { marksOf } from '../render/draw-timeline.ts'
import { wrap } from '../terminal/display-width.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import type { Style } from '../terminal/style.ts'
import { paint } from '../terminal/style.ts'
import type { Answer } from './chat-thread.ts'

/** A call that waits for an answer of the user. */
export type ApprovalRequest = Extract<TurnEvent, { readonly type: 'approval-request' }>

/** Words for a longer yes. Plain ones are read in every language. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  conversation: 'allow-thread',
  hour: 'allow-hour',
  always: 'allow-always',
}

/** An answer of the user, with the constraints of the limit that was named, or a wish to see what is hidden. */
export type ParsedAnswer =
  | { readonly decision: Answer; readonly constraints?: GrantConstraints }
  | 'reveal'
  /** A word that answers, but not this question. */
  | 'not-here'

/**
 * The answer in a line: a word, and after a longer yes the number of a limit, as in `always 2`. Undefined when the line
 * is a message of its own.
 */
export function parseAnswer(line: string, asked: ApprovalRequest): ParsedAnswer | undefined {
  const plain = readYesOrNo(line)
  if (plain) return { decision: plain === 'yes' ? 'allow-once' : 'deny' }
  const [word = '', number, ...more] = line
    .toLowerCase()
    .replace(/(?<![.!])[.!]+$/, '')
    .split(/\s+/)
  if (word === 'reveal' && number === undefined) return asked.hidden ? 'reveal' : undefined
  const decision = Object.hasOwn(ANSWERS, word) ? ANSWERS[word] : undefined
  if (!decision || more.length > 0) return undefined
  if (asked.effect === 'admin') return 'not-here'
  if (number === undefined) return { decision }
  const limit = asked.limits?.[Number(number) - 1]
  if (!/^\d$/.test(number)) return undefined
  return limit ? { decision, constraints: limit } : 'not-here'
}

/** The question with the exact arguments of the call. */
export function drawApprovalPrompt(
  { label, tool, agent, arguments: args, hidden = [], limits = [], effect, reason }: ApprovalRequest,
  style: Style,
): readonly string[] {
  const isAdmin = effect === 'admin'
  const words = isAdmin ? 'Type yes or no.' : 'Type yes, no, conversation, hour or always.'
  const asks = agent === undefined ? '' : ` of the agent ${agent}`
  const name = toPrintableLine(`${label === tool ? tool : `${label} (${tool})`}${asks}`)
  return [
    ...wrap(`${name} needs your yes. It would run with exactly this:`, style.width - 4).map((line, index) =>
      index === 0 ? `  ${paint(style, 'yellow', marksOf(style).ask)} ${line}` : `    ${line}`,
    ),
    ...(reason ? describeReason(reason) : []).flatMap((line) =>
      wrap(line, style.width - 4).map((part) => `    ${part}`),
    ),
    ...drawArguments(args, style),
    ...drawHidden(hidden, style),
    ...(isAdmin ? [] : drawLimits(limits, style)),
    `    ${paint(style, 'bold', words)}`,
    ...(limits.length > 0 && !isAdmin
      ? [`    ${paint(style, 'dim', 'Add the number of a limit to allow only that: always 1.')}`]
      : []),
    ...(hidden.length > 0 ? [`    ${paint(style, 'dim', 'Type reveal to see what is hidden.')}`] : []),
  ]
}

/** Why an answer was not accepted. */
export const ANSWER_PROBLEMS: Readonly<Record<Exclude<AnswerReceipt, 'accepted'>, string>> = {
  'already-answered': 'The call was answered already; the first answer counts.',
  expired: 'The approval has expired, so it counts as denied.',
  unknown: 'No call waits for that answer any more.',
}

/** Printed for a longer yes that this call cannot get. */
export const NOT_HERE = 'That answer does not fit this call. Type one of the words above.'
/** Printed for the first yes to a call with hidden values. */
export const HIDDEN_UNSEEN =
  'Some values are hidden. Type reveal to see them, or your answer again to allow them unseen.'
/** Printed when hidden values cannot be shown. */
export const CANNOT_REVEAL = 'The hidden values cannot be shown here, because the chat is not saved.'
