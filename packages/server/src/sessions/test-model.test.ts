import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createModel } from '@capstan/harness'
import { systemClock } from '@capstan/harness/seams'
import type { Failure } from '@capstan/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { testModel } from './test-model.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const failureOf = async (name: string, patienceMs?: number): Promise<Failure | undefined> =>
  (await testModel(name, () => createModel(name, { env: {} }), systemClock, patienceMs)).failure
const kindOf = async (name: string): Promise<string | undefined> => (await failureOf(name))?.detail?.kind

/** A server that answers everything with a web page. */
const startPage = (): Promise<string> =>
  startServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>')
  })

async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
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
  it('each of these in a sentence of its own', async () => {
    const page = await startPage()
    const names = [
      'http://127.0.0.1:4000/v1',
      'gpt',
      'openai/gpt-6-sol',
      `${page}#llama`,
      'https://no-such-host.invalid/v1#x',
    ]
    const causes = await Promise.all(names.map(async (name) => (await failureOf(name))?.cause))
    expect(new Set(causes).size).toBe(names.length)
  })

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

  it('that the name in an address is not known', async () => {
    expect(await kindOf('http://no-such-host.invalid/v1#llama')).toBe('model-host')
  })

  it('that there is no secure connection', async () => {
    const page = (await startPage()).replace('http:', 'https:')
    expect(await kindOf(`${page}#llama`)).toBe('model-insecure')
  })

  it('that the key is not accepted, and that the answer took too long', async () => {
    const refusing = await startServer((_, response) => response.writeHead(401).end('{}'))
    expect(await failureOf(`${refusing}#llama`)).toMatchObject({ class: 'bad_credentials' })
    const silent = await startServer(() => {})
    expect(await failureOf(`${silent}#llama`, 200)).toMatchObject({ class: 'timeout' })
  })

  it('that a web page answers', async () => {
    expect(await kindOf(`${await startPage()}#llama`)).toBe('model-page')
  })
})
