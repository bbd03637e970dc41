import type { JsonValue } from '../turn/json.ts'
import { looseCall } from './canonical-call.ts'
import type { Guard } from './guard.ts'
import { haltWithoutProgress } from './halt-answer.ts'
import type { PrintState } from './output-print.ts'
import { OutputPrint } from './output-print.ts'
import type { SeenCalls } from './seen-calls.ts'
import { hashOf, mix } from './text-hash.ts'

/** How often in a row the model may send the same words with the same calls. */
export const IDENTICAL_REPLY = { replies: 4 }

/**
 * Halts, before running anything, when the model says and asks exactly the same again and nothing moved in between.
 * An output that changed counts as movement. Only with the very same words around it, a mere number in the output
 * of a tool that does not watch anything does not.
 */
export function createIdenticalReplyGuard(seen: SeenCalls, limits = IDENTICAL_REPLY): Guard {
  let key = 0
  let count = 0
  let hasWords = false
  let moved = false
  let before: OutputPrint[] = []
  let now: OutputPrint[] = []

  function moves(output: OutputPrint): boolean {
    const { kind } = seen.last
    if (kind !== 'progress') return kind !== 'repeat' && kind !== 'repeat-failure'
    const last = before[now.length - 1]
    return !hasWords || !last || last.shape !== output.shape
  }

  const reset = () => {
    key = 0
    count = 0
    before = []
    now = []
  }

  return {
    name: 'identical-reply',
    beforeCalls({ text, calls }) {
      let next = hashOf(text)
      for (const call of calls) next = mix(next ^ looseCall(call))
      const isSame = next === key
      count = isSame && !moved ? count + 1 : 1
      before = isSame ? now : []
      now = []
      key = next
      hasWords = text.trim() !== ''
      moved = false
      if (count >= limits.replies) {
        const times = count
        reset()
        return haltWithoutProgress(
          `I was about to send the same ${calls.length === 1 ? `call to "${calls[0]!.tool}"` : 'calls'} with the ` +
            `same words for the ${toOrdinal(times)} time`,
        )
      }
      if (count < limits.replies - 1) return undefined
      return {
        action: 'nudge',
        text:
          `You have sent this reply with the same calls ${count} times. Use the results you have, change what you ` +
          'for, or give the user your answer.',
      }
    },
    afterCall({ result }) {
      const output = new OutputPrint(result.text, result.tool)
      now.push(output)
      moved ||= moves(output)
      return undefined
    },
    state: (): JsonValue => ({
      key,
      count,
      hasWords,
      moved,
      before: before.map((print) => print.toState()),
      now: now.map((print) => print.toState()),
    }),
    restore(state) {
      const kept = state as unknown as KeptState
      ;({ key, count, hasWords, moved } = kept)
      before = kept.before.map((print) => OutputPrint.fromState(print))
      now = kept.now.map((print) => OutputPrint.fromState(print))
    },
    reset,
  }
}

interface KeptState {
  readonly key: number
  readonly count: number
  readonly hasWords: boolean
  readonly moved: boolean
  readonly before: readonly PrintState[]
  readonly now: readonly PrintState[]
}

const toOrdinal = (n: number): string =>
  n === 2 ? 'second' : n === 3 ? 'third' : n === 4 ? 'fourth' : `${n}th`
