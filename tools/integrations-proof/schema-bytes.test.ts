import { expect, it } from 'vitest'
import { createBuiltInAgents } from '@capstan/harness/agents'
import { createBuiltInTools } from '@capstan/harness/tools'
import { says } from '@capstan/harness/testing'
import { createInProcessApps } from './in-process-apps.fixture.ts'
import { createWorld } from './world.fixture.ts'

const LIMIT = 4_096
const SLUGS = Array.from({ length: 50 }, (_, n) => `some_longer_app_name_${n}`)

/** What travels as tools, and the system prompt, with so many of the fifty apps connected. */
async function request(mode: 'constant' | 'live-enum', connected: number) {
  const world = createWorld({
    apps: createInProcessApps({ slugs: SLUGS, actionsPerApp: 20 }),
    reply: says('Hello.'),
    agents: createBuiltInAgents({ tools: createBuiltInTools({}) }),
    mode,
  })
  for (const slug of SLUGS.slice(0, connected)) await world.connect(slug)
  const { id } = await world.threads.create()
  await (await world.threads.open(id)).send('Hello?')
  const [first] = world.sent
  return first!
}

it('the orchestrator sends at most 4 KB of tools with fifty apps of twenty actions, and no more than with none', async () => {
  const none = await request('constant', 0)
  const all = await request('constant', SLUGS.length)
  expect(Buffer.byteLength(all.tools)).toBeLessThanOrEqual(LIMIT)
  expect(all.tools).toBe(none.tools)
  // Which apps there are stands once in front of the conversation, a line each.
  for (const slug of SLUGS) expect(all.system).toContain(`- ${slug}: `)
  expect(Buffer.byteLength(all.system)).toBeLessThan(SLUGS.length * 150)
})

it('the orchestrator stays below 4 KB of tools in live-enum mode, besides the names of the apps', async () => {
  const all = await request('live-enum', SLUGS.length)
  const names = JSON.stringify(SLUGS.toSorted())
  expect(all.tools).toContain(names)
  expect(Buffer.byteLength(all.tools) - Buffer.byteLength(names)).toBeLessThanOrEqual(LIMIT)
})
