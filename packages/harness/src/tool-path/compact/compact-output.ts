import { isFileInspection, isTestRun } from './command-kind.ts'
import type { Compacted, Compactor, OutputFacts } from './compactor.ts'
import { diffCompactor } from './diff.ts'
import { htmlCompactor } from './html.ts'
import { isTightJson, jsonCompactor } from './json.ts'
import { listCompactor } from './list.ts'
import { weigh } from './log-lines.ts'
import { logCompactor } from './log.ts'
import type { CommandReducer } from './command-reducer.ts'
import { createCommandReducer } from './command-reducer.ts'
import { hasTerminalCodes, stripTerminalCodes } from './terminal-text.ts'

export type { Compacted, OutputFacts } from './compactor.ts'

// Characters, because counting the bytes of every small result would cost more than they are worth.
const MIN_CHARS = 512
const MAX_RATIO = 0.95
// A missing line costs another call, so nothing is left out below this size.
const WORTH_LOSING_BYTES = 2_048

const BY_CONTENT: readonly Compactor[] = [
  jsonCompactor,
  htmlCompactor,
  diffCompactor,
  logCompactor,
  listCompactor,
]

const sharedReducer = createCommandReducer()

/**
 * An output in fewer words, or undefined when there is nothing to gain. Answers at once for what is small, unknown
 * or recognised by its content; only the rest of a command's output is waited for. Never throws.
 */
export function compactOutput(
  text: string,
  facts: OutputFacts,
  reducer: CommandReducer = sharedReducer,
): Compacted | undefined | Promise<Compacted | undefined> {
  if (text.length < MIN_CHARS || facts.profile === 'off') return undefined
  const { command } = facts
  if (command !== undefined && isFileInspection(command)) return undefined
  if (isTightJson(text)) return undefined

  const plain = stripTerminalCodes(text)
  const known = BY_CONTENT.find((compactor) => compactor.recognises(plain, facts))
  const isPrinted = command !== undefined || hasTerminalCodes(text)
  const compactor = known ?? (isPrinted ? logCompactor : undefined)
  if (!compactor) return undefined

  const tidy = compactor.tidy(plain)
  const lossless = ifWorthIt({ text: tidy, lossy: false }, text)
  if (facts.profile === 'light' || Buffer.byteLength(tidy) < WORTH_LOSING_BYTES) return lossless
  const shorten = () => ifWorthIt({ text: compactor.shorten(plain, facts), lossy: true }, tidy) ?? lossless
  // Rules know a command by its name, and not that its tests failed.
  const hasRules = !known && command !== undefined && facts.ok && !(isTestRun(command) && hasErrors(plain))
  if (!hasRules) return shorten()
  return reducer.reduce(command, plain).then((reduced) => {
    if (reduced === undefined || losesErrors(plain, reduced)) return shorten()
    return ifWorthIt({ text: reduced, lossy: true }, tidy) ?? shorten()
  })
}

function ifWorthIt(compacted: Compacted, original: string): Compacted | undefined {
  return Buffer.byteLength(compacted.text) <= MAX_RATIO * Buffer.byteLength(original) ? compacted : undefined
}

function hasErrors(text: string): boolean {
  return text.split('\n').some((line) => weigh(line) === 'error')
}

function losesErrors(text: string, reduced: string): boolean {
  return text.split('\n').some((line) => weigh(line) === 'error' && !reduced.includes(line.trim()))
}
