// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FailureClass, TurnOutcome } from '@capstan/protocol'
import { FAILURE_CATEGORIES } from '@capstan/protocol'
import { EMPTY_THREAD, foldEvents } from '@capstan/client'
import { calls, ends, fails, iteration, Recording, starts } from '@capstan/client/testing'
import { createFakeServer } from '../socket/fake-server.fixture.ts'
import { ServerProvider } from '../socket/server-context.tsx'
import { ThreadScopeContext } from '../state/thread-scope.ts'
import { Answer } from './answer.tsx'

afterEach(cleanup)

function show(kind: FailureClass, type: TurnOutcome['type'] = 'done'): string {
  const { events } = new Recording().add(
    'a',
    starts('Hi'),
    iteration(1),
    calls(1, '1', 'fetch', {}, 'Read a web page', 'ferries.example'),
    fails(1, '1', 'fetch', {
      class: kind,
      category: FAILURE_CATEGORIES[kind],
      cause: '',
      next: '',
      recoverable: false,
    }),
    ends('I could not.', { type }),
  )
  const { api, socket } = createFakeServer({})
  const { container } = render(
    <ServerProvider api={api} socket={socket}>
      <ThreadScopeContext value={{ threadId: 'thread_1', opened: new Map(), askAgain: vi.fn() }}>
        <Answer turn={foldEvents(EMPTY_THREAD, events).turns[0]!} isLast onAnswer={vi.fn()} />
      </ThreadScopeContext>
    </ServerProvider>,
  )
  return container.textContent ?? ''
}

describe('under an answer', () => {
  it('stands the failure that decided it, with why, what next and the button', () => {
    const text = show('service_unavailable')
    expect(text).toContain('Read a web page')
    expect(text).toContain('The service cannot be reached')
    expect(text).toContain('What to do next')
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })

  it('stands nothing that the person refused', () => {
    expect(show('denied_by_user')).not.toContain('What to do next')
  })

  it('of a stopped turn stands a change that may have happened, and no other failure', () => {
    expect(show('interrupted', 'aborted')).toContain('it may or may not have happened')
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    cleanup()
    expect(show('timeout', 'aborted')).not.toContain('What to do next')
  })
})
