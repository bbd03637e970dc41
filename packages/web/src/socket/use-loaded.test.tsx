// @vitest-environment jsdom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactElement, ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { ApiError } from '@capstan/client'
import { createFakeServer } from './fake-server.fixture.ts'
import type { FakeServer } from './fake-server.fixture.ts'
import { ServerProvider } from './server-context.tsx'
import { useLoaded } from './use-loaded.ts'

function within(server: FakeServer) {
  return function Wrapper({ children }: { readonly children: ReactNode }): ReactElement {
    return (
      <ServerProvider api={server.api} socket={server.socket}>
        {children}
      </ServerProvider>
    )
  }
}

describe('useLoaded', () => {
  afterEach(cleanup)

  it('drops the late answer of an older read', async () => {
    const answers = new Map<string, (text: string) => void>()
    const load = (key: string) => new Promise<string>((resolve) => answers.set(key, resolve))
    const { result, rerender } = renderHook(({ key }) => useLoaded(key, () => load(key)), {
      wrapper: within(createFakeServer()),
      initialProps: { key: 'one' },
    })
    rerender({ key: 'other' })
    await act(async () => answers.get('other')?.('the other'))
    await act(async () => answers.get('one')?.('the one'))
    expect(result.current).toMatchObject({ data: 'the other', isLoading: false })
  })

  it('never shows under one key the result of another', async () => {
    const { result, rerender } = renderHook(
      ({ key }) =>
        useLoaded(key, () => (key === 'one' ? Promise.resolve(key) : new Promise<string>(() => {}))),
      { wrapper: within(createFakeServer()), initialProps: { key: 'one' } },
    )
    await waitFor(() => expect(result.current.data).toBe('one'))
    rerender({ key: 'other' })
    expect(result.current.data).toBeUndefined()
  })

  it('reads again when the server is back, and keeps its result when that fails', async () => {
    const server = createFakeServer()
    let reads = 0
    const { result } = renderHook(
      () =>
        useLoaded('key', () => {
          reads++
          return reads === 1
            ? Promise.resolve('first')
            : Promise.reject(new ApiError({ code: 'unavailable', message: '' }))
        }),
      { wrapper: within(server) },
    )
    await waitFor(() => expect(result.current.data).toBe('first'))
    act(() => server.become('offline'))
    expect(reads).toBe(1)
    act(() => server.become('online'))
    await waitFor(() => expect(result.current.error?.code).toBe('unavailable'))
    expect(result.current.data).toBe('first')
    expect(reads).toBe(2)
  })

  it('aborts the read when the component unmounts', () => {
    let signal: AbortSignal | undefined
    const { unmount } = renderHook(
      () =>
        useLoaded('key', (given) => {
          signal = given
          return new Promise<string>(() => {})
        }),
      { wrapper: within(createFakeServer()) },
    )
    unmount()
    expect(signal?.aborted).toBe(true)
  })
})
