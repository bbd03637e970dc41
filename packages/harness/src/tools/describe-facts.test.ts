import type { MemoryFact } from '@capstan/protocol'
import { MAX_FACT_CHARS, MAX_FACTS } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { countFactsLeftOut, describeFacts } from './describe-facts.ts'

const fact = (id: string, fields: Partial<MemoryFact> = {}): MemoryFact => ({
  id,
  text: `Text of ${id}.`,
  status: 'accepted',
  origin: {},
  createdAt: 1,
  changedAt: 1,
  ...fields,
})

describe('the block of facts', () => {
  it('holds accepted facts alone, oldest first', () => {
    const block = describeFacts([
      fact('b', { createdAt: 2 }),
      fact('c', { status: 'proposed' }),
      fact('d', { status: 'rejected' }),
      fact('a'),
    ])
    expect(block.split('\n').slice(1)).toEqual(['- Text of a. (a)', '- Text of b. (b)'])
  })

  it('is empty without accepted facts', () => {
    expect(describeFacts([fact('a', { status: 'proposed' })])).toBe('')
  })

  it('is the same whatever the order of the facts', () => {
    const facts = [fact('a'), fact('b'), fact('c', { createdAt: 3 })]
    expect(describeFacts(facts.toReversed())).toBe(describeFacts(facts))
  })

  it('keeps each fact on one line, and the newest where not all fit', () => {
    const facts = Array.from({ length: MAX_FACTS }, (_, n) =>
      fact(`f${n}`, { createdAt: n, text: 'x\n'.repeat(MAX_FACT_CHARS / 2) }),
    )
    const block = describeFacts(facts)
    expect(block.length).toBeLessThanOrEqual(6_000)
    expect(block).toContain('(f199)')
    expect(block).not.toContain('(f0)')
    const lines = block.split('\n').slice(1)
    expect(lines.every((line) => line.startsWith('- x'))).toBe(true)
    expect(countFactsLeftOut([...facts, fact('p', { status: 'proposed' })])).toBe(MAX_FACTS - lines.length)
    expect(countFactsLeftOut(facts.slice(0, 3))).toBe(0)
  })
})
