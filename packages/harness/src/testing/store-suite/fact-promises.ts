import type { MemoryFact, RunId, ThreadId } from '@capstan/protocol'
import { MAX_FACT_CHARS, MAX_FACTS } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../ports/store.ts'

let made = 0
const fact = (fields: Partial<MemoryFact> = {}): MemoryFact => ({
  id: `fact_${++made}`,
  text: 'Prefers trains to planes.',
  status: 'proposed',
  origin: {},
  createdAt: 1,
  changedAt: 1,
  ...fields,
})

/** What a store promises about the facts of people. */
export function testFacts(open: () => Promise<Store>): void {
  describe('facts', () => {
    it('returns a fact as it was added, with where it is from', async () => {
      const { facts } = (await open()).memory
      const given = fact({
        text: `'; DROP TABLE memory_facts; -- 😀 \0`,
        origin: {
          threadId: 'thread_1' as ThreadId,
          runId: 'run_1' as RunId,
          app: 'notes',
          link: 'https://notes.example/1',
          isUntrusted: true,
        },
      })
      expect(await facts.add('ana', given)).toBe('added')
      expect(await facts.get('ana', given.id)).toEqual(given)
      expect(await facts.list('ana')).toEqual([given])
    })

    it('adds a fact once, however often it is asked to', async () => {
      const { facts } = (await open()).memory
      const given = fact()
      await facts.add('ana', given)
      expect(await facts.add('ana', { ...given, text: 'Other.' })).toBe('known')
      expect(await facts.list('ana')).toEqual([given])
    })

    it('lists the newest fact first, and those with a status', async () => {
      const { facts } = (await open()).memory
      const [a, b, c] = [
        fact({ createdAt: 1, status: 'accepted' }),
        fact({ createdAt: 3 }),
        fact({ createdAt: 3 }),
      ]
      for (const each of [a, b, c]) await facts.add('ana', each)
      expect((await facts.list('ana')).map(({ id }) => id)).toEqual([...[b.id, c.id].toSorted(), a.id])
      expect(await facts.list('ana', { status: 'accepted' })).toEqual([a])
      expect(await facts.list('ana', { status: 'rejected' })).toEqual([])
    })

    it('changes the text and the status of a fact', async () => {
      const { facts } = (await open()).memory
      const given = fact({ origin: { app: 'mail' } })
      await facts.add('ana', given)
      const accepted = { ...given, status: 'accepted', changedAt: 7 }
      expect(await facts.change('ana', given.id, { status: 'accepted', at: 7 })).toEqual(accepted)
      const edited = { ...accepted, text: 'Prefers ships.', changedAt: 8 }
      expect(await facts.change('ana', given.id, { text: 'Prefers ships.', at: 8 })).toEqual(edited)
      expect(await facts.get('ana', given.id)).toEqual(edited)
    })

    it('keeps the facts of users apart', async () => {
      const { facts } = (await open()).memory
      const given = fact()
      await facts.add('ana', given)
      expect(await facts.get('ben', given.id)).toBeUndefined()
      expect(await facts.list('ben')).toEqual([])
      expect(await facts.change('ben', given.id, { status: 'accepted', at: 2 })).toBeUndefined()
      expect(await facts.remove('ben', [given.id])).toBe(0)
      expect(await facts.removeAll('ben')).toBe(0)
      expect(await facts.add('ben', { ...given, text: 'Of Ben.' })).toBe('added')
      expect(await facts.get('ana', given.id)).toEqual(given)
    })

    it('refuses a fact without a text, and one that is too long', async () => {
      const { facts } = (await open()).memory
      const given = fact()
      await facts.add('ana', given)
      for (const text of ['', '  ', 'x'.repeat(MAX_FACT_CHARS + 1)]) {
        await expect(async () => facts.add('ana', fact({ text }))).rejects.toMatchObject({ kind: 'invalid' })
        await expect(async () => facts.change('ana', given.id, { text, at: 2 })).rejects.toMatchObject({
          kind: 'invalid',
        })
      }
      expect(await facts.list('ana')).toEqual([given])
    })

    it('holds a bounded number of facts per user', async () => {
      const { facts } = (await open()).memory
      const first = fact()
      await facts.add('ana', first)
      for (let n = 1; n < MAX_FACTS; n++) await facts.add('ana', fact())
      expect(await facts.add('ana', fact())).toBe('full')
      expect(await facts.list('ana')).toHaveLength(MAX_FACTS)
      await facts.remove('ana', [first.id])
      expect(await facts.add('ana', fact())).toBe('added')
    })

    it('forgets facts one by one and all at once', async () => {
      const { facts } = (await open()).memory
      const [a, b, c] = [fact(), fact(), fact()]
      for (const each of [a, b, c]) await facts.add('ana', each)
      expect(await facts.remove('ana', [a.id, 'unknown'])).toBe(1)
      expect(await facts.get('ana', a.id)).toBeUndefined()
      expect(await facts.removeAll('ana')).toBe(2)
      expect(await facts.list('ana')).toEqual([])
    })
  })
}
