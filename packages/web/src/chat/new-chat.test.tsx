// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { MessagePost, RunId, ThreadSummary } from '@capstan/protocol'
import { ApiError } from '@capstan/client'
import { createFakeServer } from '../socket/fake-server.fixture.ts'
import { ServerProvider } from '../socket/server-context.tsx'
import { RouterProvider } from '../routing/router.tsx'
import { NewChat } from './new-chat.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
  window.history.replaceState(null, '', '/')
})

function show(created: () => Promise<ThreadSummary>) {
  const sendMessage = vi.fn((_threadId: string, _message: MessagePost) =>
    Promise.resolve({ runId: 'run_1' as RunId }),
  )
  const createThread = vi.fn(created)
  const server = createFakeServer({ createThread, sendMessage })
  render(
    <ServerProvider api={server.api} socket={server.socket}>
      <RouterProvider>
        <NewChat />
      </RouterProvider>
    </ServerProvider>,
  )
  return { sendMessage, createThread }
}

const thread = { id: 'thread_7' } as ThreadSummary

describe('a new conversation', () => {
  it('is created with its first message, which is sent once', async () => {
    const { sendMessage, createThread } = show(() => Promise.resolve(thread))
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Hello' } })
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter' })
    await waitFor(() => expect(sendMessage).toHaveBeenCalledTimes(1))
    expect(sendMessage.mock.calls[0]).toMatchObject(['thread_7', { text: 'Hello', mode: 'send' }])
    expect(createThread).toHaveBeenCalledTimes(1)
    expect(window.location.pathname).toBe('/t/thread_7')
  })

  it('starts with the prompt that is pressed', async () => {
    const { sendMessage } = show(() => Promise.resolve({ ...thread, id: 'thread_8' } as ThreadSummary))
    fireEvent.click(screen.getAllByRole('button').find((one) => one.textContent?.includes('Sandholm'))!)
    await waitFor(() => expect(sendMessage.mock.calls[0]?.[1].text).toContain('Sandholm'))
  })

  it('keeps the text when it could not be created', async () => {
    show(() => Promise.reject(new ApiError({ code: 'unreachable', message: '' })))
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Hello' } })
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter' })
    expect((await screen.findByRole('alert')).textContent).toContain('Not sent.')
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Hello')
  })
})
