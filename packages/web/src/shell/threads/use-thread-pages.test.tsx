// @vitest-environment jsdom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ThreadPage, ThreadSummary } from '@capstan/protocol'
import type { ReactElement, ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { createFakeServer } from '../../socket/fake-server.fixture.ts'
import { ServerProvider } from '../../socket/server-context.tsx'
import { useThreadPages } from './use-thread-pages.ts'

const thread = (id: string, updatedAt: number, title = id): ThreadSummary =>
  ({ id, title, updatedAt, createdAt: updatedAt }) as ThreadSummary

/** The hook with a server whose pages are answered by hand. */
function openPages(state: 'connecting' | 'online') {
  const reads: ((page: ThreadPage) => void)[] = []
  const server = createFakeServer({ threads: () => new Promise((resolve) => reads.push(resolve)) })
  server.become(state)
  const wrapper = ({ children }: { readonly children: ReactNode }): ReactElement => (
    <ServerProvider api={server.api} socket={server.socket}>
      {children}
    </ServerProvider>
  )
  const { result } = renderHook(() => useThreadPages(() => {}), { wrapper })
  return {
    server,
    reads,
    answer: (read: number, ...threads: ThreadSummary[]) => act(async () => reads[read]?.({ threads })),
    titles: () => result.current.list.threads.map(({ title }) => title),
  }
}

describe('the list of conversations', () => {
  afterEach(cleanup)

  it('is read again when the first connection is made, because what changed before it was not sent', async () => {
    const { server, reads, answer, titles } = openPages('connecting')
    await answer(0)
    act(() => server.become('online'))
    await waitFor(() => expect(reads).toHaveLength(2))
    await answer(1, thread('a', 1))
    expect(titles()).toEqual(['a'])
  })

  it('keeps an update that overtakes a page', async () => {
    const { server, answer, titles } = openPages('online')
    act(() => server.send('threads-change', [thread('b', 2), thread('a', 3, 'renamed')]))
    await answer(0, thread('a', 1))
    expect(titles()).toEqual(['renamed', 'b'])
  })

  it('does not bring back a conversation that was removed during a read', async () => {
    const { server, answer, titles } = openPages('online')
    act(() => server.send('thread-remove', 'a' as ThreadSummary['id']))
    await answer(0, thread('b', 2), thread('a', 1))
    expect(titles()).toEqual(['b'])
  })

  it('is not read twice when the connection was there from the start', async () => {
    const { reads, answer, titles } = openPages('online')
    await answer(0, thread('a', 1))
    expect(titles()).toEqual(['a'])
    expect(reads).toHaveLength(1)
  })
})
