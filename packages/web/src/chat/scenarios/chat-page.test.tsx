// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { EventPage, MessagePost, MessageReceipt, RunId, TurnEventBody } from '@capstan/protocol'
import type { ApiClient, WatchOptions } from '@capstan/client'
import { ApiError } from '@capstan/client'
import { createFakeServer } from '../../socket/fake-server.fixture.ts'
import { ServerProvider } from '../../socket/server-context.tsx'
import { asks, calls, iteration, Recording, starts } from '@capstan/client/testing'
import { ChatPage } from '../chat-page.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.useRealTimers()
})

const EMPTY: EventPage = { events: [], lastSeq: 0 }

function show(api: Partial<ApiClient>) {
  const server = createFakeServer(api)
  render(
    <ServerProvider api={server.api} socket={server.socket}>
      <ChatPage threadId="thread_1" />
    </ServerProvider>,
  )
  return server
}

describe('the chat page', () => {
  it('shows the welcome in an empty conversation', async () => {
    show({ events: () => Promise.resolve(EMPTY) })
    expect(await screen.findByRole('heading', { name: 'What shall we do?' })).toBeTruthy()
  })

  it('shows that a conversation does not exist', async () => {
    show({ events: () => Promise.reject(new ApiError({ code: 'not_found', message: '' })) })
    expect(await screen.findByText('This conversation does not exist or was deleted.')).toBeTruthy()
  })

  it('loads a conversation again after a failure', async () => {
    const events = vi
      .fn(() => Promise.resolve(EMPTY))
      .mockRejectedValueOnce(new ApiError({ code: 'unreachable', message: '' }))
    show({ events })
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'What shall we do?' })).toBeTruthy()
  })

  it('stops exactly the turn that is shown', async () => {
    const { events } = new Recording().add('a', starts('Hi'), iteration(1))
    const stopTurn = vi.fn(() => Promise.resolve())
    show({ events: () => Promise.resolve({ events, lastSeq: events.length }), stopTurn })
    fireEvent.click(await screen.findByRole('button', { name: 'Stop' }))
    expect(stopTurn).toHaveBeenCalledExactlyOnceWith('thread_1', { runId: 'run_a' })
  })

  it.each([
    ['a word answers a plain question', { effect: 'write' }, /^Answer “yes” or “no”/],
    ['a word is not enough for what administers', { effect: 'admin' }, /^Answer above/],
    [
      'a word is not enough for what hides a value',
      { effect: 'write', hidden: [{ path: 'key', chars: 20, source: 'stored' }] },
      /^Answer above/,
    ],
  ] as const)('says in the message box that %s', async (_, facts, placeholder) => {
    const asked = { ...asks(1, 'approval_1', '1', 'x'), ...facts } as TurnEventBody
    const { events } = new Recording().add('a', starts('Hi'), iteration(1), calls(1, '1', 'x'), asked)
    show({ events: () => Promise.resolve({ events, lastSeq: events.length }) })
    expect(await screen.findByPlaceholderText(placeholder)).toBeTruthy()
  })

  it('announces to a screen reader that the turn waits for an approval', async () => {
    const recording = new Recording().add('a', starts('Hi'), iteration(1), calls(1, '1', 'x'))
    const events = recording.events.slice()
    const server = createFakeServer({ events: () => Promise.resolve({ events, lastSeq: events.length }) })
    const watched = Promise.withResolvers<WatchOptions>()
    vi.spyOn(server.socket, 'watchThread').mockImplementation((_threadId, options) => {
      watched.resolve(options)
      return () => undefined
    })
    render(
      <ServerProvider api={server.api} socket={server.socket}>
        <ChatPage threadId="thread_1" />
      </ServerProvider>,
    )
    const { onEvent } = await watched.promise
    recording.add('a', asks(1, 'approval_1', '1', 'x'))
    act(() => onEvent(recording.events.at(-1)!))
    await waitFor(() =>
      expect(
        screen
          .getAllByRole('status')
          .some((one) => one.textContent?.includes('Approval needed: Delete a page')),
      ).toBe(true),
    )
  })

  it('sends an unanswered message again, once, when the server is back', async () => {
    const unreachable = new ApiError({ code: 'unreachable', message: '' })
    const sendMessage = vi.fn<(threadId: string, message: MessagePost) => Promise<MessageReceipt>>(() =>
      Promise.reject(unreachable),
    )
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const server = show({ events: () => Promise.resolve(EMPTY), sendMessage })
    await act(() => vi.advanceTimersByTimeAsync(10))
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Hello' } })
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter' })
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    const tried = sendMessage.mock.calls.length
    sendMessage.mockResolvedValue({ runId: 'run_1' as RunId })
    act(() => server.become('offline'))
    act(() => server.become('online'))
    await act(() => vi.advanceTimersByTimeAsync(10))
    expect(sendMessage).toHaveBeenCalledTimes(tried + 1)
    expect(new Set(sendMessage.mock.calls.map(([, message]) => message.messageId)).size).toBe(1)
  })
})
