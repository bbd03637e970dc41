import type { ThreadId } from '@capstan/protocol'
import { TRIGGER_ACTIONS } from '@capstan/protocol'
import { z } from 'zod'
import { notFound } from '../api-error.ts'
import { NOTHING, defineRoute } from '../route.ts'
import { anyId } from '../schemas/common.ts'
import {
  exampleList,
  sourceCreated,
  sourceList,
  sourcePatch,
  sourcePost,
  triggerDetail,
  triggerPage,
  triggerSettings,
  triggerSource,
} from '../schemas/triggers.ts'

const orNotFound = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw notFound()
  return value
}
const action = z.enum(TRIGGER_ACTIONS)

const listTriggers = defineRoute({
  method: 'GET',
  path: '/api/triggers',
  summary: 'What came in and what became of it, newest first. "after" is the "next" of the page before.',
  rights: 'user',
  query: {
    source: anyId.optional(),
    action: action.optional(),
    after: anyId.optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
  },
  answer: triggerPage,
  async handle({ assistant, caller, query: { source, action: wanted, after, limit } }) {
    const page = await assistant.triggers.activity.list(caller.userId, {
      ...(source !== undefined && { sourceId: source }),
      ...(wanted && { action: wanted }),
      ...(after !== undefined && { after }),
      limit,
    })
    const { triggers, ...more } = orNotFound(page)
    return { triggers: [...triggers], ...more }
  },
})

const readTrigger = defineRoute({
  method: 'GET',
  path: '/api/triggers/:triggerId',
  summary: 'One trigger with what came in.',
  rights: 'user',
  params: { triggerId: anyId },
  answer: triggerDetail,
  handle: async ({ assistant, caller, params }) =>
    orNotFound(await assistant.triggers.activity.get(caller.userId, params.triggerId)),
})

const correctTrigger = defineRoute({
  method: 'POST',
  path: '/api/triggers/:triggerId/feedback',
  summary: 'Says what would have been right. It is shown to the model with the next triggers of the source.',
  rights: 'user',
  params: { triggerId: anyId },
  body: z.strictObject({ right: action, note: z.string().max(300).optional() }),
  example: { right: 'drop', note: 'Never tell me of these.' },
  answer: triggerDetail,
  handle: async ({ assistant, caller, params, body: { right, note } }) =>
    orNotFound(
      await assistant.triggers.correct(caller.userId, params.triggerId, {
        right,
        ...(note !== undefined && { note }),
      }),
    ),
})

const listSources = defineRoute({
  method: 'GET',
  path: '/api/trigger-sources',
  summary: 'Where triggers come from, without secrets, and what holds for all sources.',
  rights: 'user',
  answer: sourceList,
  async handle({ assistant: { triggers }, caller: { userId } }) {
    const { settings, sources } = triggers.sources.list(userId)
    return { settings, sources: [...sources], calls: [...(await triggers.activity.calls(userId))] }
  },
})

const addSource = defineRoute({
  method: 'POST',
  path: '/api/trigger-sources',
  summary: 'Creates a source. A secret that is made for it is shown only in this answer.',
  rights: 'user',
  body: sourcePost,
  example: { kind: 'github', name: 'Our repository', rule: 'Only failed builds.' },
  answer: sourceCreated,
  handle: ({ assistant, caller, body: { threadId, ...body } }) =>
    assistant.triggers.sources.add(caller.userId, {
      ...withoutAbsent(body),
      ...(threadId !== undefined && { threadId: threadId as ThreadId | null }),
      kind: body.kind,
      name: body.name,
    }),
})

const changeSource = defineRoute({
  method: 'PATCH',
  path: '/api/trigger-sources/:sourceId',
  summary: 'Changes the name, the rule, the switch, the quiet hours, the budget or the thread of a source.',
  rights: 'user',
  params: { sourceId: anyId },
  body: sourcePatch,
  example: { isOff: true },
  answer: triggerSource,
  handle: async ({ assistant, caller, params, body: { threadId, ...body } }) =>
    orNotFound(
      await assistant.triggers.sources.change(caller.userId, params.sourceId, {
        ...withoutAbsent(body),
        ...(threadId !== undefined && { threadId: threadId as ThreadId | null }),
      }),
    ),
})

const replaceSecret = defineRoute({
  method: 'POST',
  path: '/api/trigger-sources/:sourceId/secret',
  summary: 'Replaces the secret of a source: by the given one, or by one that is made and shown once.',
  rights: 'user',
  params: { sourceId: anyId },
  body: z.strictObject({ secret: z.string().max(500).optional() }),
  example: {},
  answer: sourceCreated,
  handle: async ({ assistant, caller, params, body }) =>
    orNotFound(await assistant.triggers.sources.replaceSecret(caller.userId, params.sourceId, body.secret)),
})

const removeSource = defineRoute({
  method: 'DELETE',
  path: '/api/trigger-sources/:sourceId',
  summary: 'Removes a source. What it sent stays in the list; what is not decided is dropped.',
  rights: 'user',
  params: { sourceId: anyId },
  answer: NOTHING,
  async handle({ assistant, caller, params }) {
    if (!(await assistant.triggers.sources.remove(caller.userId, params.sourceId))) throw notFound()
  },
})

const testSource = defineRoute({
  method: 'POST',
  path: '/api/trigger-sources/:sourceId/test',
  summary: 'Sends a trigger as if the source had called.',
  rights: 'user',
  cost: 'message',
  params: { sourceId: anyId },
  body: z.strictObject({ payload: z.string().max(8_000).optional() }),
  example: {},
  answer: triggerDetail,
  handle: async ({ assistant, caller, params, body }) =>
    orNotFound(await assistant.triggers.test(caller.userId, params.sourceId, body.payload)),
})

const listExamples = defineRoute({
  method: 'GET',
  path: '/api/trigger-sources/:sourceId/examples',
  summary: 'What was said to be wrong, newest first. The newest are shown to the model.',
  rights: 'user',
  params: { sourceId: anyId },
  answer: exampleList,
  handle: ({ assistant, caller, params }) => ({
    examples: [...orNotFound(assistant.triggers.sources.examples(caller.userId, params.sourceId))],
  }),
})

const removeExample = defineRoute({
  method: 'DELETE',
  path: '/api/triggers/:triggerId/example',
  summary: 'Removes the example that was made of a trigger: the model no longer sees it.',
  rights: 'user',
  params: { triggerId: anyId },
  answer: NOTHING,
  async handle({ assistant, caller, params }) {
    if (!(await assistant.triggers.sources.removeExample(caller.userId, params.triggerId))) throw notFound()
  },
})

const changeSettings = defineRoute({
  method: 'PATCH',
  path: '/api/trigger-settings',
  summary:
    'Switches all sources off or on, or names the model that judges. Empty: the model of the settings.',
  rights: 'user',
  body: z.strictObject({ isOff: z.boolean().optional(), model: z.string().max(300).optional() }),
  example: { isOff: false },
  answer: triggerSettings,
  handle: ({ assistant, caller, body }) =>
    assistant.triggers.sources.changeSettings(caller.userId, withoutAbsent(body)),
})

/** Optional fields that are absent, and not undefined. */
type Present<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> }
const withoutAbsent = <Fields extends object>(fields: Fields): Present<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>

export const TRIGGER_ROUTES = [
  listTriggers,
  readTrigger,
  correctTrigger,
  listSources,
  addSource,
  changeSource,
  replaceSecret,
  removeSource,
  testSource,
  listExamples,
  removeExample,
  changeSettings,
]
