import type { UserMemory } from '@capstan/harness/stores'

/** Memory that tells of each change of a user's items and facts, whoever made it: a person, a tool or a sync. */
export function announceMemory(memory: UserMemory, onChange: (userId: string) => void): UserMemory {
  const { facts } = memory
  const after = async <T>(userId: string, change: T | Promise<T>): Promise<T> => {
    const answer = await change
    onChange(userId)
    return answer
  }
  return {
    get: (userId, id) => memory.get(userId, id),
    list: (userId, query) => memory.list(userId, query),
    sources: (userId) => memory.sources(userId),
    search: (userId, query) => memory.search(userId, query),
    put: (userId, items) => after(userId, memory.put(userId, items)),
    remove: (userId, ids) => after(userId, memory.remove(userId, ids)),
    removeAll: (userId, source) => after(userId, memory.removeAll(userId, source)),
    vectors: memory.vectors,
    facts: {
      get: (userId, id) => facts.get(userId, id),
      list: (userId, query) => facts.list(userId, query),
      add: (userId, fact) => after(userId, facts.add(userId, fact)),
      change: (userId, id, change) => after(userId, facts.change(userId, id, change)),
      remove: (userId, ids) => after(userId, facts.remove(userId, ids)),
      removeAll: (userId) => after(userId, facts.removeAll(userId)),
    },
  }
}
