import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ConfigurationError } from '@capstan/harness'
import { calls, says, ScriptedModel } from '@capstan/harness/testing'
import { createWebFetchTool } from '@capstan/harness/tools'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFolder, openWorld } from '../sessions/assistant.fixture.ts'

const VALUE = 'tk-4f9a0c77d1e2-live'

/** A server that tells what it was sent, and shows the key in its answer. */
async function startService(): Promise<{ readonly port: number; readonly seen: (string | undefined)[] }> {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.setHeader('content-type', 'text/plain')
    response.end(`You sent ${request.headers.authorization}`)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return { port: (server.address() as AddressInfo).port, seen }
}

describe('a named secret', () => {
  it('reaches the host it is bound to and nothing else: no event, no message, no file', async () => {
    const { port, seen } = await startService()
    const folder = await createFolder()
    const url = `http://127.0.0.1:${port}/`
    const headers = { authorization: 'Bearer {{secret:service}}' }
    const model = new ScriptedModel(calls('fetch', { url, headers }), says('Done.'))
    const tool = { ...createWebFetchTool({ allowHosts: [`127.0.0.1:${port}`] }), name: 'fetch' }
    const world = await openWorld({ folder, model, tools: [tool], mode: 'full' })
    const { assistant } = world
    await assistant.secrets.put('local', 'service', { value: VALUE, hosts: ['127.0.0.1'] })
    const threads = assistant.threadsOf('local')
    const session = await threads.open((await threads.create()).id)
    await session.send('Read it.')
    expect(seen).toEqual([`Bearer ${VALUE}`])
    const end = await world.findEvent('tool-end')
    expect(end.ok).toBe(true)
    expect(JSON.stringify(world.updates)).not.toContain(VALUE)
    expect(JSON.stringify(model.request(1))).not.toContain(VALUE)
    expect(assistant.secrets.list('local')).toEqual([
      { name: 'service', hosts: ['127.0.0.1'], createdAt: expect.any(Number) },
    ])
    expect(assistant.secrets.list('ann')).toEqual([])
    await assistant.stop()
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue
      const bytes = await readFile(join(file.parentPath, file.name))
      expect(bytes.includes(VALUE), file.name).toBe(false)
    }
    const next = await openWorld({ folder, model: new ScriptedModel() })
    expect(next.assistant.secrets.list('local')).toHaveLength(1)
  })

  it('is not sent to another host', async () => {
    const { port, seen } = await startService()
    const url = `http://127.0.0.1:${port}/`
    const model = new ScriptedModel(
      calls('fetch', { url, headers: { authorization: '{{secret:service}}' } }),
      says('Done.'),
    )
    const tool = { ...createWebFetchTool({ allowHosts: [`127.0.0.1:${port}`] }), name: 'fetch' }
    const world = await openWorld({ model, tools: [tool], mode: 'full' })
    await world.assistant.secrets.put('local', 'service', { value: VALUE, hosts: ['api.example.com'] })
    const threads = world.assistant.threadsOf('local')
    await (await threads.open((await threads.create()).id)).send('Read it.')
    expect(seen).toEqual([])
    expect(await world.findEvent('tool-end')).toMatchObject({
      ok: false,
      failure: { class: 'blocked_by_policy' },
    })
  })

  it('that was never stored cannot be removed, whatever its name', async () => {
    const { assistant } = await openWorld({ model: new ScriptedModel() })
    expect(await assistant.secrets.remove('local', 'constructor')).toBe(false)
  })

  it.each([
    ['a short value', 'key', { value: 'short', hosts: ['a.example'] }, 'value'],
    ['no host', 'key', { value: VALUE, hosts: [] }, 'hosts'],
    ['a URL instead of a host', 'key', { value: VALUE, hosts: ['https://a.example/'] }, 'hosts.0'],
    ['a whole top-level domain', 'key', { value: VALUE, hosts: ['*.com'] }, 'hosts.0'],
    ['a name with a brace', 'a}}b', { value: VALUE, hosts: ['a.example'] }, 'name'],
    ['the name __proto__', '__proto__', { value: VALUE, hosts: ['a.example'] }, 'name'],
  ])('is refused with %s', async (_, name, secret, field) => {
    const { assistant } = await openWorld({ model: new ScriptedModel() })
    const refusal = await assistant.secrets.put('local', name, secret).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ConfigurationError)
    expect(refusal).toMatchObject({ field })
  })
})
