import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findLocalModel } from './find-local-model.ts'

async function startOllama(body: string, status = 200): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/api/tags' ? status : 404)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the local model', () => {
  it('is the first chat model that Ollama lists', async () => {
    const host = await startOllama(
      JSON.stringify({ models: [{ name: 'nomic-embed-text' }, { name: 'qwen3:8b' }, { name: 'llama4' }] }),
    )
    expect(await findLocalModel({ OLLAMA_HOST: host })).toBe('ollama/qwen3:8b')
    expect(await findLocalModel({ OLLAMA_HOST: `http://${host}` })).toBe('ollama/qwen3:8b')
  })

  it.each([
    ['lists no model', JSON.stringify({ models: [] }), 200],
    ['answers with HTML', '<html>', 200],
    ['fails', JSON.stringify({ models: [{ name: 'x' }] }), 500],
  ])('is undefined when Ollama %s', async (_, body, status) => {
    expect(await findLocalModel({ OLLAMA_HOST: await startOllama(body, status) })).toBeUndefined()
  })

  it.each(['127.0.0.1:9', 'not an address'])('is undefined when nothing answers at %s', async (host) => {
    expect(await findLocalModel({ OLLAMA_HOST: host })).toBeUndefined()
  })
})
