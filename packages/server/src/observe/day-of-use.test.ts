import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { defineTool } from '@capstan/harness'
import type { ModelPart } from '@capstan/harness/models'
import { calls, fails, raw, says, ScriptedModel, SCRIPTED_USAGE } from '@capstan/harness/testing'
import type { SecretVault } from '@capstan/harness/stores'
import type { ThreadSummary } from '@capstan/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { openAuth } from '../auth/auth.ts'
import { redeem, toClient } from '../http/test-server.fixture.ts'
import { startServer } from '../serve.ts'
import { createFolder, NO_MODELS, openWorld } from '../sessions/assistant.fixture.ts'
import { createLogger } from './logger.ts'

const MODEL_KEY = 'seeded-model-key-5f1c9a7e3b'
const LATER_KEY = 'seeded-later-key-77ab01cd92'
const COMPOSIO_KEY = 'seeded-composio-key-0d4e8b6a21'
const VAULT_TOKEN = 'seeded-vault-token-93fe12ab44'
const ENV_KEY = 'seeded-env-key-1234abcd5678'
const GITHUB = `ghp_${'a1B2c3D4e5'.repeat(3)}XyZ789`
const KNOWN = { MODEL_KEY, LATER_KEY, COMPOSIO_KEY, VAULT_TOKEN, ENV_KEY }
const ALL_KNOWN = Object.values(KNOWN).join(' and ')

/** The deltas of a reply, a few characters each. */
const drip = (type: 'text' | 'reasoning', text: string): ModelPart[] =>
  text.match(/[^]{1,4}/g)!.map((delta) => ({ type, delta }))

it('a day of use leaves no seeded secret in any event, row, file, export, answer or log', async () => {
  const written: string[] = []
  const logger = createLogger({ level: 'trace', to: { write: (line) => void written.push(line) } })
  const folder = await createFolder()
  const echo = defineTool({
    name: 'echo',
    description: 'Returns what it knows.',
    effect: 'read',
    input: { type: 'object' },
    run: () => `It knows ${ALL_KNOWN} and ${GITHUB}. ${`A long line with ${MODEL_KEY}.\n`.repeat(4_000)}`,
  })
  const fail = defineTool({
    name: 'fail',
    description: 'Fails.',
    effect: 'read',
    input: { type: 'object' },
    run() {
      throw new Error(`refused with ${ALL_KNOWN} and ${GITHUB}`)
    },
  })
  const args = JSON.stringify({ note: ALL_KNOWN, token: GITHUB })
  const model = new ScriptedModel(
    raw([
      ...drip('reasoning', `The user said ${ALL_KNOWN}.`),
      ...drip('text', `You said ${ALL_KNOWN}. I look.`),
      { type: 'call-start', id: 'c1', tool: 'echo' },
      ...args.match(/[^]{1,5}/g)!.map((delta) => ({ type: 'call-delta', id: 'c1', delta }) as const),
      { type: 'call', id: 'c1', tool: 'echo', argumentsText: args },
      { type: 'finish', reason: 'tool-calls', usage: SCRIPTED_USAGE },
    ]),
    calls('fail', { why: VAULT_TOKEN }),
    says(`It says ${ALL_KNOWN}.`, { chunk: 3 }),
    fails({ httpStatus: 401, errorCode: `bad key ${MODEL_KEY}` }),
  )
  const env = { ...NO_MODELS, OPENAI_API_KEY: ENV_KEY, COMPOSIO_BASE_URL: 'http://127.0.0.1:9' }
  let vault: SecretVault | undefined
  const connectors = (opened: SecretVault) => {
    vault = opened
    return []
  }
  const world = await openWorld({ folder, env, model, tools: [echo, fail], connectors })
  const auth = openAuth({ folder })
  const server = await startServer({ assistant: world.assistant, auth, port: 0, logger })
  onTestFinished(() => server.stop({ graceMs: 0 }))
  const login = await redeem(server.url, auth.mintTicket())
  const client = toClient(server, login.headers.getSetCookie()[0]!.split(';')[0]!, 'local')
  async function note(path: string, method = 'GET', body?: unknown): Promise<void> {
    const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const answer = await client.request(path, { method, ...(body === undefined ? undefined : json) })
    written.push(JSON.stringify([...answer.headers]), await answer.text())
  }

  await note('/api/settings', 'PATCH', { modelKeys: { compatible: MODEL_KEY }, composioKey: COMPOSIO_KEY })
  const thread = await client.json<ThreadSummary>('POST', '/api/threads', {})
  const messages = `/api/threads/${thread.id}/messages`
  const send = async (text: string, messageId: string) => {
    await note(messages, 'POST', { text, messageId })
    await world.assistant.threadsOf('local').idle()
  }
  // A key that is set while the thread is open, and a token that a connector keeps.
  await note('/api/settings', 'PATCH', { modelKeys: { anthropic: LATER_KEY } })
  await vault!.write('connection-1', { tokens: { access_token: VAULT_TOKEN } })
  await send(`My keys are ${ALL_KNOWN}. Look what there is.`, 'm1')
  await send(`And again ${ALL_KNOWN}?`, 'm2')
  expect(model.requests).toBe(4)

  for (const path of ['events', 'export', 'export?format=jsonl'])
    await note(`/api/threads/${thread.id}/${path}`)
  for (const path of ['threads', 'runs', 'settings', 'diagnostics', 'export', 'stats', 'nothing'])
    await note(`/api/${path}`)
  await note('/metrics')
  for (const run of await world.assistant.store.runs.tree((await world.findEvent('turn-end')).runId))
    await note(`/api/runs/${run.id}`)
  written.push(...Array.from({ length: model.requests }, (_, n) => JSON.stringify(model.request(n))))
  await server.stop({ graceMs: 0 })
  written.push(JSON.stringify(world.updates), ...world.problems.map(String))
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const file of entries.filter((one) => one.isFile()))
    written.push((await readFile(join(file.parentPath, file.name))).toString('latin1'))

  const text = written.join('\n')
  expect(text).toContain('[secret:stored-credential]')
  for (const [name, secret] of Object.entries(KNOWN)) expect(text.includes(secret), name).toBe(false)
  // What only looks like a secret stays in the arguments of the stored call, which may have to run again.
  expect(JSON.stringify(world.updates)).not.toContain(GITHUB)
}, 60_000)
