import { createOwnFact } from '@capstan/harness/memory'
import { countFactsLeftOut } from '@capstan/harness/tools'
import type { FactList, FactPatch } from '@capstan/protocol'
import { MAX_FACTS } from '@capstan/protocol'
import { z } from 'zod'
import { ApiError, notFound } from '../api-error.ts'
import { NOTHING, defineRoute } from '../route.ts'
import { anyId, count } from '../schemas/common.ts'
import { describes } from '../schemas/describes.ts'
import { factText, memoryFact } from '../schemas/memory.ts'

const params = { factId: anyId }

const listFacts = defineRoute({
  method: 'GET',
  path: '/api/memory/facts',
  rights: 'user',
  summary: 'Facts about the user, newest first. A proposed one counts when the user accepts it.',
  answer: describes<FactList>()(z.strictObject({ facts: z.array(memoryFact), leftOut: count })),
  async handle({ assistant: { store }, caller }) {
    const facts = [...(await store.memory.facts.list(caller.userId))]
    return { facts, leftOut: countFactsLeftOut(facts) }
  },
})

const addFact = defineRoute({
  method: 'POST',
  path: '/api/memory/facts',
  rights: 'user',
  summary: 'Adds a fact that new threads know.',
  body: z.strictObject({ text: factText }),
  example: { text: 'Prefers short answers.' },
  answer: memoryFact,
  async handle({ assistant: { store }, caller, body }) {
    const fact = createOwnFact(body.text, Date.now())
    if ((await store.memory.facts.add(caller.userId, fact)) === 'full')
      throw new ApiError('conflict', `There are ${MAX_FACTS} facts. Forget one first.`)
    return fact
  },
})

const changeFact = defineRoute({
  method: 'PATCH',
  path: '/api/memory/facts/:factId',
  rights: 'user',
  summary: 'Accepts or rejects a fact, or changes its text. New threads know it as it is then.',
  params,
  body: describes<FactPatch>()(
    z.strictObject({ text: factText.optional(), status: z.enum(['accepted', 'rejected']).optional() }),
  ),
  example: { status: 'accepted' },
  answer: memoryFact,
  async handle({ assistant: { store }, caller, params: { factId }, body: { text, status } }) {
    const fact = await store.memory.facts.change(caller.userId, factId, {
      ...(text !== undefined && { text }),
      ...(status && { status }),
      at: Date.now(),
    })
    if (!fact) throw notFound()
    return fact
  },
})

const forgetFact = defineRoute({
  method: 'DELETE',
  path: '/api/memory/facts/:factId',
  rights: 'user',
  summary: 'Deletes a fact for good. Threads that began with it keep its words.',
  params,
  answer: NOTHING,
  async handle({ assistant, caller: { userId }, params: { factId } }) {
    if ((await assistant.store.memory.facts.remove(userId, [factId])) === 0) throw notFound()
    await assistant.record(userId, 'memory-forget', factId, { what: 'fact', count: 1 })
  },
})

export const MEMORY_FACT_ROUTES = [listFacts, addFact, changeFact, forgetFact]
