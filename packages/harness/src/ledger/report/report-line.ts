import type { ExplainKey, ExplainPart, Failure, Usage } from '@capstan/protocol'
import { cutText } from '../../text/cut-text.ts'
import { toDuration } from './quantities.ts'
import type { ReportCall } from './run-report.ts'

/** One line of a rendered report, without colours or marks; the screen adds those. */
export interface ReportLine {
  readonly kind: 'heading' | 'fact' | 'step' | 'note' | 'reason' | ReportCall['status']
  /** How many runs below the reported one: a sub-agent's lines have depth 1. */
  readonly depth: number
  /** In English. */
  readonly text: string
  /** The same for a screen with words of its own. Empty: the line above says it. */
  readonly parts?: readonly ExplainPart[]
  /** How long it took. */
  readonly time?: string
  readonly durationMs?: number
}

/** What a line says: in English, and as parts. */
export type Said = readonly [text: string, ...parts: readonly ExplainPart[]]

export function toLine(
  kind: ReportLine['kind'],
  [text, ...parts]: Said,
  { depth = 0, ms }: { readonly depth?: number; readonly ms?: number | undefined } = {},
): ReportLine {
  return { kind, depth, text, parts, ...(ms !== undefined && { time: toDuration(ms), durationMs: ms }) }
}

export const part = (key: ExplainKey, values?: ExplainPart['values']): ExplainPart =>
  values ? { key, values } : { key }

export const failurePart = (
  key: 'failure' | 'retry',
  failure: Failure,
  values?: ExplainPart['values'],
): ExplainPart => ({ ...part(key, values), failure })

/** A name, or what a person or the model wrote. */
export const textPart = (text: string): ExplainPart => part('text', { text })

export const tokensPart = ({ inputTokens: input, outputTokens: output }: Usage): ExplainPart =>
  part('tokens', { input, output })

export const toOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const MAX_QUOTE_CHARS = 200

export function toQuote(text: string): string {
  const line = toOneLine(text)
  const cut = cutText(line, MAX_QUOTE_CHARS)
  return `"${cut}${cut.length < line.length ? '…' : ''}"`
}
