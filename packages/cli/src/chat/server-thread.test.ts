import type { ApiClient } from '@capstan/client'
import type { TurnEvent } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { openServerThread } from './server-thread.ts'

it('a chat with the server knows of each message that one turn has collected', async () => {
  const messageIds: string[] = []
  const api: Partial<ApiClient> = {
    sendMessage: async (_threadId, { messageId }) => {
      messageIds.push(messageId!)
      return {}
    },
  }
  let onEvent: (event: TurnEvent) => void = () => {}
  const open = openServerThread({
    threadId: 'thread' as never,
    link: {
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
  const steered = [session.steer('first'), session.steer('second')]
  onEvent({ type: 'turn-start', depth: 0, messageId: messageIds[1], messageIds } as unknown as TurnEvent)
  expect(await Promise.all(steered)).toEqual([true, true])
})
