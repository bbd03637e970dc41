import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { McpServerConfig } from '@capstan/connectors'
import { FAST } from '@capstan/demo'
import type { NotesApp } from '@capstan/notes-app'
import { startNotesApp } from '@capstan/notes-app'
import type { TurnEvent } from '@capstan/protocol'
import { onTestFinished } from 'vitest'
import { createBrowser } from '../../../../examples/notes-app/src/testing/browser.ts'
import type { Assistant, Update } from './assistant.ts'
import type { AssistantOptions } from './assistant-options.ts'
import { createAssistant } from './create-assistant.ts'

/** A browser of this user. */
const VISITOR = { userId: 'local', browserId: 'a-cookie', redirectUri: 'http://127.0.0.1:9/oauth/callback' }

/** Keeps a local Ollama out of the tests. */
export const NO_MODELS = { OLLAMA_HOST: '127.0.0.1:9' }

export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-assistant-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function startNotes(): Promise<NotesApp> {
  const app = await startNotesApp({ reindexMs: 50, exportBytes: 200_000 })
  onTestFinished(() => app.close())
  return app
}

export const toPreset = (app: NotesApp): McpServerConfig => ({
  slug: 'notes',
  name: 'Notes',
  transport: { type: 'http', url: app.mcpUrl },
})

/** An assistant, and all its updates. */
export interface World {
  readonly assistant: Assistant
  readonly updates: readonly Update[]
  readonly problems: readonly unknown[]
  /** Resolves with the first matching update, past or future. */
  findUpdate(fits: (updates: Update) => boolean): Promise<Update>
  /** Resolves with the first matching event. */
  findEvent<Type extends TurnEvent['type']>(
    type: Type,
    fits?: (event: Extract<TurnEvent, { type: Type }>) => boolean,
  ): Promise<Extract<TurnEvent, { type: Type }>>
}

export async function openWorld(options: Partial<AssistantOptions> = {}): Promise<World> {
  const updates: Update[] = []
  const problems: unknown[] = []
  const waiting = new Set<() => void>()
  const assistant = await createAssistant({
    folder: options.folder ?? (await createFolder()),
    env: NO_MODELS,
    demoPace: FAST,
    onProblem: (problem) => void problems.push(problem),
    ...options,
  })
  onTestFinished(() => assistant.stop({ graceMs: 0 }))
  assistant.onUpdate((one) => {
    updates.push(one)
    for (const look of waiting) look()
  })
  function findUpdate(fits: (one: Update) => boolean): Promise<Update> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = updates.find(fits)
        if (!found) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  }
  return {
    assistant,
    updates,
    problems,
    findUpdate,
    async findEvent(type, fits = () => true) {
      type Wanted = Extract<TurnEvent, { type: typeof type }>
      const found = await findUpdate(
        (one) => one.type === 'turn-event' && one.event.type === type && fits(one.event as Wanted),
      )
      return (found as Extract<Update, { type: 'turn-event' }>).event as Wanted
    },
  }
}

/** Signs in as a person does: opens the link of the card, allows, and returns. */
export async function signIn(
  { integrations }: Assistant,
  app: NotesApp,
  connectionId: string,
): Promise<void> {
  const step = await integrations.connections.signIn(connectionId, VISITOR)
  if (step.type !== 'visit') throw new Error(JSON.stringify(step))
  const browser = createBrowser(app.url)
  const page = await browser.open(step.url)
  if (page.type !== 'page') throw new Error('no consent page')
  const back = await browser.submit({ account: 'ada', decision: 'allow' })
  if (back.type !== 'left') throw new Error(`still there: ${back.status}`)
  const finished = await integrations.connections.finish(back.to.searchParams, VISITOR)
  if (finished.type !== 'settled') throw new Error('the sign-in was refused')
}

/** Connects Notes before the first message. */
export async function connectNotes({ assistant }: World, app: NotesApp): Promise<void> {
  const connection = await assistant.integrations.connections.begin('local', 'notes')
  if (!connection) throw new Error('there is no such toolkit')
  await signIn(assistant, app, connection.id)
}

/** Sends one message in a new thread and resolves with the outcome. */
export async function ask({ assistant }: World, words: string) {
  const threads = assistant.threadsOf('local')
  const { id } = await threads.create()
  const session = await threads.open(id)
  return session.send(words)
}
