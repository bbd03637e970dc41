import type { TriggerAction } from '@capstan/protocol'

/** How judging a trigger goes wrong: once per process, or always (`dead`). */
export const TROUBLES = ['none', 'busy', 'broken', 'dead'] as const
type Trouble = (typeof TROUBLES)[number]

/** What a trigger says of itself, for the model and for the judge. */
export interface Mark {
  readonly n: number
  readonly label: TriggerAction
  readonly trouble: Trouble
}

export const toMark = ({ n, label, trouble }: Mark): string => `case-${n} ${label} ${trouble}.`

/** The mark in a text. */
export function readMark(text: string): Mark | undefined {
  const [, n, label, trouble] = /case-(\d+) (\w+) (\w+)\./.exec(text) ?? []
  return n === undefined
    ? undefined
    : { n: Number(n), label: label as TriggerAction, trouble: trouble as Trouble }
}
