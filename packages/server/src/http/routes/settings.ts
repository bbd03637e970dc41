import { toJsonl } from '@capstan/harness/ledger'
import { scrubLongText } from '@capstan/harness/stages'
import type { Threads } from '@capstan/harness'
import type { Settings } from '@capstan/protocol'
import { z } from 'zod'
import type { Caller } from '../../auth/auth.ts'
import type { Assistant } from '../../sessions/assistant.ts'
import { allThreads } from '../queries/all-threads.ts'
import { notYours } from '../api-error.ts'
import { NOTHING, defineRoute, raw } from '../route.ts'
import { diagnostics, modelTest, settings, settingsPatch } from '../schemas/settings.ts'
import { toFile } from '../payload/to-file.ts'

const readSettings = defineRoute({
  method: 'GET',
  path: '/api/settings',
  summary: 'The settings of the user, and facts about the installation.',
  answer: settings,
  handle: ({ assistant, caller }) => toVisible(assistant.readSettings(caller.userId), caller),
})

const changeSettings = defineRoute({
  method: 'PATCH',
  path: '/api/settings',
  summary: 'Changes the given fields, all or none.',
  body: settingsPatch,
  example: { theme: 'dark' },
  answer: settings,
  async handle({ assistant, caller, body }) {
    const foreign = caller.isOwner ? undefined : OF_THE_OWNER.find((field) => body[field] !== undefined)
    if (foreign) throw notYours(foreign)
    return toVisible(await assistant.changeSettings(caller.userId, body), caller)
  },
})

/** These fields reach the machine or cost its owner money. */
const OF_THE_OWNER = ['model', 'modelKeys', 'roots', 'composioKey'] as const

/** Only the owner sees the data folder. */
function toVisible(all: Settings, { isOwner }: Caller): Settings {
  return isOwner ? all : { ...all, dataFolder: '' }
}

const testModel = defineRoute({
  method: 'POST',
  path: '/api/settings/test-model',
  summary: 'Sends a short test request to the model.',
  body: z.strictObject({ model: z.string().max(300).optional() }),
  example: {},
  isForOwner: true, // a model name may be an address, and the key is sent there
  answer: modelTest,
  cost: 'message',
  handle: ({ assistant, caller, body }) => assistant.testModel(caller.userId, body.model),
})

const diagnose = defineRoute({
  method: 'GET',
  path: '/api/diagnostics',
  summary: 'Checks each part of the installation.',
  isForOwner: true,
  answer: diagnostics,
  handle: ({ assistant }) => assistant.diagnose(),
})

const exportAll = defineRoute({
  method: 'GET',
  path: '/api/export',
  summary: 'All threads as one JSONL file.',
  answer: raw('application/jsonl'),
  async handle({ assistant, threads, breakOff }) {
    const lines = toLines(threads, assistant)
    let first: Awaited<ReturnType<typeof lines.next>> | undefined = await lines.next() // an error here is still a normal refusal
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { value, done } = first ?? (await lines.next())
          first = undefined
          if (done) controller.close()
          else controller.enqueue(Buffer.from(value))
        } catch (error) {
          // Not as a stream error: its message would become part of the file.
          breakOff(error)
          controller.close()
        }
      },
      async cancel() {
        await lines.return(undefined)
      },
    })
    return toFile(body, 'application/jsonl; charset=utf-8', 'capstan-export.jsonl')
  },
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
  summary: 'Deletes all threads and connections of the user.',
  body: z.strictObject({ confirm: z.literal('reset') }),
  example: { confirm: 'reset' },
  answer: NOTHING,
  handle: ({ assistant, caller }) => assistant.reset(caller.userId),
})

export const SETTINGS_ROUTES = [readSettings, changeSettings, testModel, diagnose, exportAll, reset]
