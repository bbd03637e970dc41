import type { ApiClient } from '@capstan/client'
import type { TurnEvent } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { openServerThread } from './server-thread.ts'

/** A chat with a server that answers as told. `send` delivers an event. */
async function openChat(api: Partial<ApiClient>) {
  let onEvent: (event: TurnEvent) => void = () => {}
  const open = openServerThread({
    threadId: 'thread' as never,
    link: {
      seen: 0,
      url: '',
      call: (use) => use(api as ApiClient),
      async watch(_threadId, _after, watcher) {
        onEvent = watcher.onEvent
      },
      close() {},
    },
  })
  const session = await open(
    () => {},
    () => {},
  ).open()
  return { session, send: (event: object) => onEvent(event as TurnEvent) }
}

describe('a chat with the server', () => {
  it('knows of each message that one turn has collected', async () => {
    const messageIds: string[] = []
    const { session, send } = await openChat({
      sendMessage: async (_threadId, { messageId }) => {
        messageIds.push(messageId)
        return {}
      },
    })
    const steered = [session.steer('first'), session.steer('second')]
    send({ type: 'turn-start', depth: 0, messageId: messageIds[1], messageIds })
    expect(await Promise.all(steered)).toEqual([true, true])
  })

  it('stops a turn after the message that starts it has arrived', async () => {
    const arrived = Promise.withResolvers<{ runId: never }>()
    const stopped = Promise.withResolvers<void>()
    const calls: string[] = []
    const { session, send } = await openChat({
      sendMessage: () => arrived.promise.finally(() => calls.push('message')),
      stopTurn: async () => {
        calls.push('stop')
        stopped.resolve()
        return {} as never
      },
    })
    const sending = session.send('Go')
    session.stop()
    arrived.resolve({ runId: 'run' as never })
    await stopped.promise
    expect(calls).toEqual(['message', 'stop'])
    send({ type: 'turn-start', depth: 0, runId: 'run' })
    send({ type: 'turn-end', runId: 'run', outcome: { type: 'aborted' } })
    expect(await sending).toMatchObject({ type: 'aborted' })
  })
})
