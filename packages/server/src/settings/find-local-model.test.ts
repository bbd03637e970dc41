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

describe('a model of this machine', () => {
  it('is the first that Ollama lists and that can talk', async () => {
    const host = await startOllama(
      JSON.stringify({ models: [{ name: 'nomic-embed-text' }, { name: 'qwen3:8b' }, { name: 'llama4' }] }),
    )
    expect(await findLocalModel({ OLLAMA_HOST: host })).toBe('ollama/qwen3:8b')
    expect(await findLocalModel({ OLLAMA_HOST: `http://${host}` })).toBe('ollama/qwen3:8b')
  })

  it.each([
    ['has none', JSON.stringify({ models: [] }), 200],
    ['answers with something else', '<html>', 200],
    ['fails', JSON.stringify({ models: [{ name: 'x' }] }), 500],
  ])('is none when Ollama %s', async (_, body, status) => {
    expect(await findLocalModel({ OLLAMA_HOST: await startOllama(body, status) })).toBeUndefined()
  })

  it.each(['127.0.0.1:9', 'not an address'])('is none when nobody answers at %s', async (host) => {
    expect(await findLocalModel({ OLLAMA_HOST: host })).toBeUndefined()
  })
})
