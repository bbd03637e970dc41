import type { FailureClass } from '@capstan/protocol'

/**
 * One way in which a text says why something failed. Patterns read the text as `find-reason.ts` hands it on: in
 * lower case, with plain quotes and without addresses and paths.
 */
export interface TextRule {
  readonly name: string
  readonly class: FailureClass
  readonly pattern: RegExp
}

/** A pattern out of alternatives, one to a line. Gaps between words are bounded, so that reading stays linear. */
export function anyOf(lines: TemplateStringsArray, ...parts: readonly string[]): RegExp {
  return new RegExp(toAlternatives(String.raw(lines, ...parts)))
}

/** The lines as alternatives of one pattern. */
export function toAlternatives(lines: string): string {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('|')
}
