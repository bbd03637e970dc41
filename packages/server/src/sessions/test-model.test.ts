import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createModel } from '@capstan/harness'
import { systemClock } from '@capstan/harness/seams'
import { afterEach, describe, expect, it } from 'vitest'
import { testModel } from './test-model.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const kindOf = async (name: string): Promise<string | undefined> => {
  const { failure } = await testModel(name, () => createModel(name, { env: {} }), systemClock)
  return failure?.detail?.kind
}

/** A server that answers everything with a web page. */
async function startPage(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  closing.push(close)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

describe('the test of a model says', () => {
  it('that an address names no model', async () => {
    expect(await kindOf('http://127.0.0.1:4000/v1')).toBe('model-address')
  })

  it('that a name is no name of a model', async () => {
    expect(await kindOf('gpt')).toBe('model-name')
  })

  it('that a key is missing', async () => {
    expect(await kindOf('openai/gpt-6-sol')).toBe('model-key')
  })

  it('that nothing answers at an address', async () => {
    const page = await startPage()
    closing.splice(0).forEach((close) => close())
    expect(await kindOf(`${page}#llama`)).toBe('model-silent')
  })

  it('that a web page answers', async () => {
    expect(await kindOf(`${await startPage()}#llama`)).toBe('model-page')
  })
})
