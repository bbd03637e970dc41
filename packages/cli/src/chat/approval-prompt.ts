import type { AnswerReceipt, TurnEvent } from '@capstan/protocol'
import { drawArguments } from '../render/draw-approval.ts'
import { describeReason } from '../render/describe-reason.ts'
import { marksOf } from '../render/draw-timeline.ts'
import { wrap } from '../terminal/display-width.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import type { Style } from '../terminal/style.ts'
import { paint } from '../terminal/style.ts'
import type { Answer } from './chat-thread.ts'

/** A call that waits for an answer of the user. */
export type ApprovalRequest = Extract<TurnEvent, { readonly type: 'approval-request' }>

/** Words that answer an approval. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  ...Object.fromEntries(
    ['yes', 'y', 'ok', 'okay', 'approve', 'approved', 'allow'].map((word) => [word, 'allow-once']),
  ),
  ...Object.fromEntries(['no', 'n', 'deny', 'denied'].map((word) => [word, 'deny'])),
  always: 'allow-always',
}

/** The answer in a line; undefined when the line is a message of its own. */
export function parseAnswer(line: string): Answer | undefined {
  const word = line.toLowerCase().replace(/[.!]+$/, '')
  return Object.hasOwn(ANSWERS, word) ? ANSWERS[word] : undefined
}

/** The question with the exact arguments of the call. */
export function drawApprovalPrompt(
  { label, tool, arguments: args, reason }: ApprovalRequest,
  style: Style,
): readonly string[] {
  const name = toPrintableLine(label === tool ? tool : `${label} (${tool})`)
  return [
    ...wrap(`${name} needs your yes. It would run with exactly this:`, style.width - 4).map((line, index) =>
      index === 0 ? `  ${paint(style, 'yellow', marksOf(style).ask)} ${line}` : `    ${line}`,
    ),
    ...(reason ? describeReason(reason) : []).flatMap((line) =>
      wrap(line, style.width - 4).map((part) => `    ${part}`),
    ),
    ...drawArguments(args, style),
    `    ${paint(style, 'bold', 'Type yes, no or always.')}`,
  ]
}

/** Why an answer was not accepted. */
export const ANSWER_PROBLEMS: Readonly<Record<Exclude<AnswerReceipt, 'accepted'>, string>> = {
  'already-answered': 'The call was answered already; the first answer counts.',
  expired: 'The approval has expired, so it counts as denied.',
  unknown: 'No call waits for that answer any more.',
}
