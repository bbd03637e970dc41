import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFolder, openWorld } from '../sessions/assistant.fixture.ts'

const KEY = 'sk-compatible-0123456789abcdef'

/** A server that speaks to models, and refuses. Its list has the key of each request. */
async function startService() {
  const keys: (string | undefined)[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization)
    response.writeHead(401).end('{}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return { keys, model: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#model` }
}

describe('the key of a compatible server', () => {
  it.each([
    ['together', [{ model: true, modelKeys: { compatible: KEY } }]],
    ['after its address', [{ model: true }, { modelKeys: { compatible: KEY } }]],
    ['before its address', [{ modelKeys: { compatible: KEY } }, { model: true }]],
  ])('is sent to the address it was stored for, and to no other: %s', async (_, patches) => {
    const [mine, other] = [await startService(), await startService()]
    const folder = await createFolder()
    const first = await openWorld({ folder })
    for (const { model, ...patch } of patches)
      await first.assistant.changeSettings('local', { ...patch, ...(model && { model: mine.model }) })
    await first.assistant.testModel('local')
    await first.assistant.stop({ graceMs: 0 })

    const { assistant } = await openWorld({ folder })
    await assistant.testModel('local', other.model)
    await assistant.changeSettings('local', { model: other.model })
    await assistant.testModel('local')
    await assistant.changeSettings('local', { model: mine.model })
    await assistant.testModel('local')
    expect([mine.keys, other.keys]).toEqual([
      [`Bearer ${KEY}`, `Bearer ${KEY}`],
      [undefined, undefined],
    ])
  })

  it('that replaces another one is meant for the address of now', async () => {
    const [mine, other] = [await startService(), await startService()]
    const { assistant } = await openWorld()
    await assistant.changeSettings('local', { model: mine.model, modelKeys: { compatible: KEY } })
    await assistant.changeSettings('local', { model: other.model, modelKeys: { compatible: `${KEY}-2` } })
    await assistant.testModel('local')
    await assistant.testModel('local', mine.model)
    expect([mine.keys, other.keys]).toEqual([[undefined], [`Bearer ${KEY}-2`]])
  })
})
