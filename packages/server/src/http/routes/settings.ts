import { toJsonl } from '@capstan/harness/ledger'
import { scrubLongText } from '@capstan/harness/stages'
import type { Threads } from '@capstan/harness'
import type { Settings, SettingsPatch } from '@capstan/protocol'
import { z } from 'zod'
import type { Caller } from '../../auth/auth.ts'
import type { Assistant } from '../../sessions/assistant.ts'
import { namesAddress } from '../../settings/key-origin.ts'
import { allThreads } from '../queries/all-threads.ts'
import type { Rights } from '../rights.ts'
import { checkRights } from '../rights.ts'
import { NOTHING, defineRoute, raw } from '../route.ts'
import { diagnostics } from '../schemas/diagnostics.ts'
import { confinement, modelTest, settings, settingsPatch } from '../schemas/settings.ts'
import { streamFile } from '../payload/stream-file.ts'

const readSettings = defineRoute({
  method: 'GET',
  path: '/api/settings',
  rights: 'user',
  summary: 'The settings of the user, and facts about the installation.',
  answer: settings,
  handle: ({ assistant, caller }) => toVisible(assistant.readSettings(caller.userId), caller),
})

const changeSettings = defineRoute({
  method: 'PATCH',
  path: '/api/settings',
  rights: 'user',
  summary: 'Changes the given fields, all or none.',
  body: settingsPatch,
  example: { theme: 'dark' },
  answer: settings,
  async handle({ assistant, caller, body }) {
    const before = assistant.readSettings(caller.userId)
    for (const [field, rightsOf] of Object.entries(FIELD_RIGHTS))
      if (body[field as keyof SettingsPatch] !== undefined) checkRights(rightsOf(body, before), caller, field)
    return toVisible(await assistant.changeSettings(caller.userId, body), caller)
  },
})

type FieldRights = (patch: SettingsPatch, before: Settings) => Rights

const everybody: FieldRights = () => 'user'
/** It costs the owner money. */
const owner: FieldRights = () => 'owner'

/** A name may be an address: the conversations are sent there, and what it answers makes calls. */
const modelRights = (model: string): Rights => (namesAddress(model) ? 'fresh-owner' : 'owner')

/** Who may change each field. Taking something away never asks for a fresh login. */
const FIELD_RIGHTS: Readonly<Record<keyof SettingsPatch, FieldRights>> = {
  model: ({ model = '' }, before) => (model.trim() === before.model ? 'owner' : modelRights(model)),
  embeddingModel: ({ embeddingModel = '' }, before) =>
    embeddingModel.trim() === before.embeddingModel ? 'owner' : modelRights(embeddingModel),
  modelKeys: owner,
  composioKey: owner,
  roots: ({ roots }, before) => (hasMore(roots, before.roots) ? 'fresh-owner' : 'owner'),
  sharedRoots: ({ sharedRoots }, before) =>
    hasMore(sharedRoots, before.sharedRoots) ? 'fresh-owner' : 'owner',
  shell: ({ shell }, before) => (shell === 'off' || shell === before.shell ? 'owner' : 'fresh-owner'),
  shellHosts: ({ shellHosts }, before) => (hasMore(shellHosts, before.shellHosts) ? 'fresh-owner' : 'owner'),
  safetyMode: ({ safetyMode }, before) =>
    safetyMode === 'full' && before.safetyMode !== 'full' ? 'fresh-owner' : 'user',
  hosts: everybody,
  queueMode: everybody,
  language: everybody,
  theme: everybody,
  reduceMotion: everybody,
}

const hasMore = (after: readonly string[] = [], before: readonly string[]): boolean =>
  after.some((one) => !before.includes(one))

/** Only the owner sees the data folder. */
function toVisible(all: Settings, { isOwner }: Caller): Settings {
  return isOwner ? all : { ...all, dataFolder: '' }
}

const testModel = defineRoute({
  method: 'POST',
  path: '/api/settings/test-model',
  rights: 'owner',
  summary: 'Sends a short test request to the model.',
  body: z.strictObject({ model: z.string().max(300).optional() }),
  example: {},
  answer: modelTest,
  cost: 'message',
  handle({ assistant, caller, body: { model } }) {
    checkRights(modelRights(model ?? ''), caller, 'model')
    return assistant.testModel(caller.userId, model)
  },
})

const diagnose = defineRoute({
  method: 'GET',
  path: '/api/diagnostics',
  rights: 'owner',
  summary: 'Checks each part of the installation.',
  answer: diagnostics,
  handle: ({ assistant }) => assistant.diagnose(),
})

const checkSandbox = defineRoute({
  method: 'GET',
  path: '/api/sandbox',
  summary: 'Starts a confined program to see whether commands and MCP servers can be confined here.',
  rights: 'owner',
  answer: confinement,
  handle: ({ assistant }) => assistant.checkSandbox(),
})

const exportAll = defineRoute({
  method: 'GET',
  path: '/api/export',
  rights: 'user',
  summary: 'All threads as one JSONL file.',
  answer: raw('application/jsonl'),
  handle: ({ assistant, threads, breakOff }) =>
    streamFile(
      toLines(threads, assistant),
      'application/jsonl; charset=utf-8',
      'capstan-export.jsonl',
      breakOff,
    ),
})

/** One thread at a time, so that they are never all in memory. */
async function* toLines(threads: Threads, { store }: Assistant): AsyncGenerator<string, undefined> {
  for (const archived of [false, true])
    for await (const thread of allThreads((query) => threads.list(query), archived))
      yield scrubLongText(toJsonl(thread, await store.ledger.read(thread.id)))
  return undefined
}

const reset = defineRoute({
  method: 'POST',
  path: '/api/reset',
  rights: 'user',
  summary: 'Deletes all threads and connections of the user.',
  body: z.strictObject({ confirm: z.literal('reset') }),
  example: { confirm: 'reset' },
  answer: NOTHING,
  handle: ({ assistant, caller }) => assistant.reset(caller.userId),
})

export const SETTINGS_ROUTES = [
  readSettings,
  changeSettings,
  testModel,
  checkSandbox,
  diagnose,
  exportAll,
  reset,
]
