import type { Program } from './compile-pattern.ts'
import { compilePattern } from './compile-pattern.ts'
import { parsePattern } from './parse-pattern.ts'
import type { WorkBudget } from './work-budget.ts'

/** A pattern whose cost is known. */
export interface BoundedPattern {
  /** Whether the pattern matches anywhere in the text. Throws `TooMuchWork` when the budget is spent. */
  matches(text: string, budget: WorkBudget): boolean
}

/**
 * A regular expression of a third party, matched by following all ways at once. No pattern makes it go back, so the work
 * is at most the size of the pattern times the length of the text. Throws `UnusablePattern`.
 */
export function createBoundedPattern(pattern: string): BoundedPattern {
  const parsed = parsePattern(pattern)
  const program = compilePattern(parsed)
  return {
    matches(text, budget) {
      budget.spend(text.length)
      const codes = parsed.flags === 'u' ? toCodePoints(text) : toCodeUnits(text)
      return isFound(program, codes, 0, { isAnchored: false }, budget)
    },
  }
}

function toCodeUnits(text: string): Uint32Array {
  const codes = new Uint32Array(text.length)
  for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at)
  return codes
}

function toCodePoints(text: string): Uint32Array {
  const codes = new Uint32Array(text.length)
  let count = 0
  for (let at = 0; at < text.length; count++) {
    const code = text.codePointAt(at)!
    codes[count] = code
    at += code > 0xff_ff ? 2 : 1
  }
  return codes.subarray(0, count)
}

/** Whether the program matches from `start`, or, when it is not anchored, from there or any later place. */
function isFound(
  program: Program,
  codes: Uint32Array,
  start: number,
  { isAnchored }: { readonly isAnchored: boolean },
  budget: WorkBudget,
): boolean {
  let now: number[] = []
  let next: number[] = []
  // The place at which an instruction was last reached: none is followed twice at the same place.
  const reachedAt = new Int32Array(program.length).fill(-1)
  budget.spend(program.length >> 4)
  const stack: number[] = []

  /** Follows everything that takes no character. Returns whether the end was reached. */
  function follow(from: number, at: number, into: number[]): boolean {
    stack.push(from)
    while (stack.length > 0) {
      const index = stack.pop()!
      if (reachedAt[index] === at) continue
      reachedAt[index] = at
      budget.spend(1)
      const step = program[index]!
      if (step.op === 'match') return true
      if (step.op === 'one') into.push(index)
      else if (step.op === 'jump') stack.push(step.to)
      else if (step.op === 'fork') stack.push(step.second, step.first)
      else if (step.op === 'assert') {
        if (holds(step.kind, codes, at)) stack.push(index + 1)
      } else if (isFound(step.program, codes, at, { isAnchored: true }, budget) !== step.isNegated) {
        stack.push(index + 1)
      }
    }
    return false
  }

  if (follow(0, start, now)) return true
  for (let at = start; at < codes.length; at++) {
    if (now.length === 0 && isAnchored) return false
    budget.spend(1 + now.length)
    for (const index of now) {
      const step = program[index]!
      if (step.op === 'one' && step.test(codes[at]!, budget) && follow(index + 1, at + 1, next)) return true
    }
    if (!isAnchored && follow(0, at + 1, next)) return true
    now = next
    next = []
  }
  return false
}

type Assertion = 'start' | 'end' | 'boundary' | 'inside'

function holds(kind: Assertion, codes: Uint32Array, at: number): boolean {
  if (kind === 'start') return at === 0
  if (kind === 'end') return at === codes.length
  const isBoundary = isWord(codes[at - 1]) !== isWord(codes[at])
  return isBoundary === (kind === 'boundary')
}

const isWord = (code = 0): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
