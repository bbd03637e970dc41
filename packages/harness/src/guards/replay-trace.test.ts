import { describe, expect, it } from 'vitest'
import type { Guard } from './guard.ts'
import { replayTrace } from './replay-trace.ts'
import { did, failed, says, silent, waited } from './traces/trace.ts'

/** Writes down what it is shown, and halts at the call of that name. */
function scribe(haltsAt?: string): { readonly guard: Guard; readonly seen: string[] } {
  const seen: string[] = []
  const guard: Guard = {
    name: 'scribe',
    beforeCalls({ text, calls }) {
      seen.push(`before ${text} ${calls.map(({ tool }) => tool).join()}`)
      return undefined
    },
    afterCall({ call, result, polls }) {
      seen.push(`after ${call.tool} ${result.failure?.class ?? 'ok'}${polls ? ' polls' : ''}`)
      return call.tool === haltsAt ? { action: 'halt', text: 'Enough.' } : undefined
    },
  }
  return { guard, seen }
}

describe('a replayed trace', () => {
  const steps = [
    says('First.', did('a', {}, 'fine'), failed('b', {}, 'timeout', 'slow')),
    silent(waited('c', {}, 'waited'), failed('d', {}, null, 'odd')),
  ]

  it('shows the guards the reply, then its results in order, like the engine', () => {
    const { guard, seen } = scribe()
    expect(replayTrace({ id: 't', steps }, [guard])).toEqual({ halted: false })
    expect(seen).toEqual([
      'before First. a,b',
      'after a ok',
      'after b timeout',
      'before  c,d',
      'after c ok polls',
      'after d unknown',
    ])
  })

  it('ends where a guard halts, and shows nothing after that', () => {
    const { guard, seen } = scribe('c')
    expect(replayTrace({ id: 't', steps }, [guard])).toEqual({
      halted: true,
      step: 1,
      guard: 'scribe',
      answer: 'Enough.',
    })
    expect(seen.at(-1)).toBe('after c ok polls')
  })

  it('treats an unknown class and a missing result as an unknown failure', () => {
    const { guard, seen } = scribe()
    const odd = {
      text: '',
      calls: [
        { tool: 'a', args: {} },
        { tool: 'b', args: {} },
      ],
      results: [{ ok: false, text: '', class: 'toString' }],
    }
    replayTrace({ id: 't', steps: [odd] }, [guard])
    expect(seen.slice(1)).toEqual(['after a unknown', 'after b unknown'])
  })
})
