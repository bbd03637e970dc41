import { hash } from 'node:crypto'
import type { FactOrigin, MemoryFact } from '@capstan/protocol'
import { MAX_FACT_CHARS, MAX_FACTS } from '@capstan/protocol'
import type { UserFacts } from '../ports/user-facts.ts'
import type { UserMemory } from '../ports/user-memory.ts'
import { sanitizeLine } from '../text/untrusted-text.ts'
import type { JsonObject } from '../turn/json.ts'
import type { Tool, ToolContext } from '../turn/tool/tool.ts'
import { defineTool } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import { labelled } from './labelled.ts'

const MAX_FORGOTTEN = 20
/** Proposals that wait for the user. They leave room for the facts that the user writes. */
const MAX_OPEN_PROPOSALS = 50

/** Tools that propose a fact about the user, and delete facts and items. They reach no other user's memory. */
export function createFactTools(memory: UserMemory, userId: string): readonly Tool[] {
  const remember = defineTool({
    name: 'remember',
    description:
      'Propose one lasting fact about the user: a preference, a name, a standing wish. The user accepts or rejects it; ' +
      'later conversations then know it. Not for what apps hold.',
    input: {
      type: 'object',
      properties: {
        fact: { type: 'string', maxLength: MAX_FACT_CHARS },
        item: { type: 'string', description: 'id of the memory item it is from' },
      },
      required: ['fact'],
      additionalProperties: false,
    },
    // Nothing comes of a proposal until a person accepts it.
    effect: 'read',
    returns: [],
    destinations: [],
    label: labelled('Propose to remember', 'fact'),
    async run(args, context) {
      const { fact, item } = args as { fact: string; item?: string }
      const text = sanitizeLine(fact, MAX_FACT_CHARS)
      if (text === '') return fail('The fact has no text.', { errorCode: 'EINVAL' })
      const origin = await toOrigin(memory, userId, item, context)
      return propose(memory.facts, userId, text, origin, context)
    },
  })
  const forget = defineTool({
    name: 'forget',
    description:
      'Delete items of memory or facts about the user for good, by their ids. Only when the user asks for it.',
    input: {
      type: 'object',
      properties: {
        ids: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_FORGOTTEN },
      },
      required: ['ids'],
      additionalProperties: false,
    },
    effect: 'write',
    idempotent: true,
    returns: [],
    destinations: [],
    label: ({ ids }: JsonObject) => ({
      label: 'Forget',
      ...(Array.isArray(ids) && { detail: sanitizeLine(ids.join(', '), 200) }),
    }),
    async run(args) {
      const { ids } = args as { ids: readonly string[] }
      const count = (await memory.remove(userId, ids)) + (await memory.facts.remove(userId, ids))
      return count === 0
        ? fail('Nothing in memory has these ids.', { errorCode: 'ENOENT' })
        : succeed(`Forgot ${count} of ${ids.length}.`)
    },
  })
  return [remember, forget]
}

async function toOrigin(
  memory: UserMemory,
  userId: string,
  itemId: string | undefined,
  { run }: ToolContext,
): Promise<FactOrigin> {
  const item = itemId === undefined ? undefined : await memory.get(userId, itemId)
  return {
    threadId: run.threadId,
    runId: run.runId,
    ...(item && { app: item.app }),
    ...(item?.link !== undefined && { link: item.link }),
    ...((item !== undefined || run.flow.hasReadUntrusted) && { isUntrusted: true as const }),
  }
}

async function propose(
  facts: UserFacts,
  userId: string,
  text: string,
  origin: FactOrigin,
  { run, idempotencyKey }: ToolContext,
): Promise<ToolOutcome> {
  const id = toFactId(`${run.runId}/${idempotencyKey}`)
  const before = await facts.list(userId)
  if (before.some((fact) => fact.text === text && fact.id !== id))
    return succeed('This was proposed before. It is for the user to decide; do not propose it again.')
  const isKnown = before.some((fact) => fact.id === id)
  if (!isKnown && before.filter(({ status }) => status === 'proposed').length >= MAX_OPEN_PROPOSALS)
    return fail(
      `${MAX_OPEN_PROPOSALS} proposals wait for the user. Propose nothing more until they have answered: capstan memory facts.`,
    )
  const now = run.clock.now()
  const fact: MemoryFact = { id, text, status: 'proposed', origin, createdAt: now, changedAt: now }
  if ((await facts.add(userId, fact)) === 'full')
    return fail(
      `Memory holds ${MAX_FACTS} facts. The user can forget some in the web app or with capstan memory facts.`,
    )
  return succeed(
    'Proposed. It counts only when the user accepts it, in the web app or with capstan memory facts. Tell them in a few words.',
  )
}

/** The same for the same call, so that a call that is repeated after a crash proposes once. */
const toFactId = (key: string): string => `fact_${hash('sha256', key).slice(0, 12)}`
