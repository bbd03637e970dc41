import type { MemoryFact } from '@capstan/protocol'
import { MAX_FACTS } from '@capstan/protocol'
import type { UserFacts } from '../user-facts.ts'
import { checkFactText } from '../user-facts.ts'

/** Facts in memory. */
export function createMemoryFacts(): UserFacts {
  const users = new Map<string, Map<string, MemoryFact>>()
  const of = (userId: string): Map<string, MemoryFact> => users.get(userId) ?? new Map()
  return {
    add(userId, fact) {
      checkFactText(fact.text)
      const kept = of(userId)
      if (kept.has(fact.id)) return 'known'
      if (kept.size >= MAX_FACTS) return 'full'
      users.set(userId, kept.set(fact.id, fact))
      return 'added'
    },
    get: (userId, id) => of(userId).get(id),
    list: (userId, { status } = {}) =>
      [...of(userId).values()]
        .filter((fact) => (status ?? fact.status) === fact.status)
        .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1)),
    change(userId, id, { at, ...change }) {
      if (change.text !== undefined) checkFactText(change.text)
      const kept = of(userId)
      const fact = kept.get(id)
      if (!fact) return undefined
      const changed = { ...fact, ...change, changedAt: at }
      kept.set(id, changed)
      return changed
    },
    remove(userId, ids) {
      const kept = of(userId)
      return ids.filter((id) => kept.delete(id)).length
    },
    removeAll(userId) {
      const { size } = of(userId)
      users.delete(userId)
      return size
    },
  }
}
