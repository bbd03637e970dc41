import { says, ScriptedModel } from '@capstan/harness/testing'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startRunningServer } from '../testing/running-server.ts'
import { findServer } from './server-file.ts'
import { ServerLink } from './server-link.ts'

/** A program that listens where the server was. The tokens that it is given. */
async function listenAt(url: string): Promise<readonly unknown[]> {
  const tokens: unknown[] = []
  const stranger = createServer((request, response) => {
    tokens.push(request.headers.authorization)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  stranger.listen(Number(new URL(url).port), '127.0.0.1')
  await once(stranger, 'listening')
  onTestFinished(() => {
    stranger.closeAllConnections()
    stranger.close()
  })
  return tokens
}

describe('the link to a server that has ended', () => {
  it('gives the token to no other program at its address', async () => {
    const { home, assistant, server, end } = await startRunningServer({
      model: new ScriptedModel(says('Hi.')),
    })
    const { id } = await assistant.threadsOf('local').create()
    const link = await ServerLink.open(home, findServer(home)!, 2_000)
    onTestFinished(() => link.close())
    const gone = Promise.withResolvers<unknown>()
    await link.watch(id, 0, { onEvent() {}, onNote() {}, onGone: gone.resolve })
    await end()
    const tokens = await listenAt(server.url)
    await expect(link.call((api) => api.health())).rejects.toThrow('does not answer')
    expect(await gone.promise).toMatchObject({ message: expect.stringContaining('did not come back') })
    expect(tokens).toEqual([])
  })

  it('goes on where the server is started again', async () => {
    const model = new ScriptedModel(says('Hi.'))
    const { home, assistant, end } = await startRunningServer({ model })
    const { id } = await assistant.threadsOf('local').create()
    const link = await ServerLink.open(home, findServer(home)!)
    onTestFinished(() => link.close())
    const answered = Promise.withResolvers<void>()
    const notes: string[] = []
    await link.watch(id, 0, {
      onEvent: ({ type }) => type === 'turn-end' && answered.resolve(),
      onNote: (note) => notes.push(note),
      onGone: answered.reject,
    })
    await end()
    await startRunningServer({ model, home })
    await expect.poll(() => notes.at(-1), { timeout: 10_000 }).toBe('The server is back.')
    await link.call((api) => api.sendMessage(id, { text: 'Hello', messageId: 'message_1' }))
    await answered.promise
  })
})
