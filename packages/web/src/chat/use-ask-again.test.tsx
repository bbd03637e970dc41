// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { TurnEventBody } from '@capstan/protocol'
import type { ApiClient } from '@capstan/client'
import { ApiError } from '@capstan/client'
import { createFakeServer } from '../socket/fake-server.fixture.ts'
import { ServerProvider } from '../socket/server-context.tsx'
import { ends, iteration, Recording, starts } from '@capstan/client/testing'
import { useThread, useThreadStore } from '../state/use-thread.ts'
import { ToastProvider } from '../ui/overlays/toast.tsx'
import { useAskAgain } from './use-ask-again.ts'

afterEach(cleanup)

const attachments = [{ ref: 'media_1', mediaType: 'image/png', name: 'sea.png' }]

/** The last turn of a thread, with a button that sends its message again. */
function LastTurn(): ReactElement | null {
  const { state } = useThread('thread_1')
  const askAgain = useAskAgain('thread_1', useThreadStore('thread_1'))
  const turn = state.turns.at(-1)
  return turn ? (
    <button type="button" onClick={() => askAgain(turn)}>
      again
    </button>
  ) : null
}

async function press(media: ApiClient['media']) {
  const start = { ...starts('What is this?'), attachments } as TurnEventBody
  const { events } = new Recording()
    .add('a', start, iteration(1), ends('', { type: 'capped', cap: { kind: 'iterations', limit: 1 } }))
    .add('b', starts(''), iteration(1), ends('', { type: 'aborted' }))
  const sendMessage = vi.fn(() => Promise.resolve({}))
  const page = { events, lastSeq: events.length }
  const server = createFakeServer({ events: () => Promise.resolve(page), sendMessage, media })
  render(
    <ServerProvider api={server.api} socket={server.socket}>
      <ToastProvider>
        <LastTurn />
      </ToastProvider>
    </ServerProvider>,
  )
  fireEvent.click(await screen.findByRole('button', { name: 'again' }))
  return sendMessage
}

describe('useAskAgain', () => {
  it('sends the text and the files again, also for a continued turn', async () => {
    const sendMessage = await press(() => Promise.resolve(new TextEncoder().encode('png').buffer))
    const files = [{ name: 'sea.png', mediaType: 'image/png', data: btoa('png') }]
    await waitFor(() =>
      expect(sendMessage).toHaveBeenCalledExactlyOnceWith(
        'thread_1',
        expect.objectContaining({ text: 'What is this?', attachments: files }),
      ),
    )
  })

  it('sends nothing when a file cannot be read', async () => {
    const sendMessage = await press(() => Promise.reject(new ApiError({ code: 'not_found', message: '' })))
    expect(await screen.findByText(/^The files of that message could not be read/)).toBeTruthy()
    expect(sendMessage).not.toHaveBeenCalled()
  })
})
