import { createMemoryUserMemory } from '@capstan/harness/stores'
import { createOwnFact } from '@capstan/harness/memory'
import { expect, it } from 'vitest'
import { announceMemory } from './announce-memory.ts'

it('announced memory tells of every change after it was made, and of no read', async () => {
  const told: string[] = []
  const memory = announceMemory(createMemoryUserMemory(), (userId) => told.push(userId))
  const item = {
    id: 'a',
    app: 'notes',
    externalId: 'a',
    at: 0,
    title: 'A',
    text: 'Text',
    people: [],
    seenAt: 0,
  }
  await memory.put('ada', [item])
  await memory.facts.add('ada', createOwnFact('Likes tea.', 0))
  await memory.search('ada', { words: 'text' })
  await memory.list('ada')
  await memory.sources('ada')
  await memory.facts.list('ada')
  expect(told).toEqual(['ada', 'ada'])
  await memory.remove('ada', ['a'])
  await memory.facts.removeAll('ada')
  expect(told).toHaveLength(4)
})
