// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Failure, TurnOutcome } from '@capstan/protocol'
import { ApiError, EMPTY_THREAD, foldEvents } from '@capstan/client'
import { createFakeServer } from '../socket/fake-server.fixture.ts'
import { ServerProvider } from '../socket/server-context.tsx'
import { callId, calls, ends, gets, iteration, Recording, runId, starts } from '@capstan/client/testing'
import { ThreadScopeContext } from '../state/thread-scope.ts'
import { Outcome } from './outcome.tsx'

afterEach(cleanup)

function show(
  outcome: Partial<TurnOutcome>,
  { isLast = true, refusal }: { isLast?: boolean; refusal?: ApiError } = {},
) {
  const recording = new Recording().add(
    'a',
    starts('Hi'),
    iteration(1),
    calls(1, '8', 'web_fetch', {}, 'Read a web page'),
    gets(1, '8', 'web_fetch', 'A page'),
    calls(1, '9', 'ask_user', { question: 'Which?', options: ['Work', 'Home'] }),
    gets(1, '9', 'ask_user', 'Which?'),
    ends('Words', outcome),
  )
  const continueTurn = vi.fn(() => (refusal ? Promise.reject(refusal) : Promise.resolve({})))
  const askAgain = vi.fn()
  const onAnswer = vi.fn()
  const server = createFakeServer({ continueTurn })
  const { container } = render(
    <ServerProvider api={server.api} socket={server.socket}>
      <ThreadScopeContext value={{ threadId: 'thread_1', opened: new Map(), askAgain }}>
        <Outcome
          turn={foldEvents(EMPTY_THREAD, recording.events).turns[0]!}
          isLast={isLast}
          onAnswer={onAnswer}
        />
      </ThreadScopeContext>
    </ServerProvider>,
  )
  return { container, continueTurn, askAgain, onAnswer }
}

describe('an answer over a call whose end is unknown', () => {
  it('has a line that says so', () => {
    const openCalls = [{ runId: 'a', callId: '9', tool: 'send_mail' }] as unknown as TurnOutcome['openCalls']
    show({ type: 'done', ...(openCalls && { openCalls }) })
    expect(screen.getByText(/not known whether this happened: send mail/i)).toBeTruthy()
  })

  it('names the call as the timeline does', () => {
    const openCalls = [{ runId: runId('a'), callId: callId('8'), tool: 'web_fetch' }]
    show({ type: 'done', openCalls })
    expect(screen.getByText(/not known whether this happened: Read a web page/)).toBeTruthy()
  })
})

const capped = { type: 'capped', cap: { kind: 'iterations', limit: 40 }, resumeToken: 'token_1' } as const
const failure = {
  cause: 'x',
  next: 'y',
  recoverable: true,
  class: 'model_unreachable',
  category: 'transient',
} as const

describe('the outcome of a turn', () => {
  it('names the last tool of a halted turn as the timeline does', () => {
    const { container } = show({ type: 'halted', guard: 'repeat', tool: 'web_fetch', count: 8 })
    expect(container.textContent).toContain('Last tool: Read a web page.')
  })

  it('is empty for an answered turn', () => {
    expect(show({ type: 'done' }).container.textContent).toBe('')
  })

  it('names the cap and continues with its token', async () => {
    const { container, continueTurn } = show(capped)
    expect(container.textContent).toContain('The turn reached its limit of 40 steps.')
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(continueTurn).toHaveBeenCalledExactlyOnceWith('thread_1', 'token_1'))
  })

  it('shows that a capped turn can no longer be continued', async () => {
    show(capped, { refusal: new ApiError({ code: 'conflict', message: '' }) })
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect((await screen.findByRole('alert')).textContent).toContain('can no longer be continued')
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('offers no action after another message', () => {
    show(capped, { isLast: false })
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('explains a model failure and sends the message again', () => {
    const { container, askAgain } = show({ type: 'failed', failure })
    expect(container.textContent).toContain('The AI model could not be reached.')
    expect(screen.getByRole('link', { name: 'Open settings' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(askAgain).toHaveBeenCalledTimes(1)
  })

  it('says to choose a model that can see when this one cannot, with the way there', () => {
    const blind = { ...failure, class: 'unsupported', evidence: { rule: 'attachment' } } as const
    const { container } = show({
      type: 'failed',
      failure: { ...blind, detail: { kind: 'images-unsupported' } },
    })
    expect(container.textContent).toContain('Choose a model that can see images')
    expect(container.textContent).not.toContain('smaller')
    expect(screen.getByRole('link', { name: 'Open settings' })).toBeTruthy()
  })

  it('names the limit that is set here, with the way to raise it', () => {
    const detail = { kind: 'day-limit', unit: 'usd', limit: 5 } as const
    const { container } = show({ type: 'failed', failure: { ...failure, class: 'quota_exhausted', detail } })
    expect(container.textContent).toContain('The limit of $5.00 per day that is set here is used up.')
    expect(screen.getByRole('link', { name: 'Open settings' })).toBeTruthy()
  })

  it('does not offer to send files again that would be refused again', () => {
    const detail = { kind: 'attachment-too-large' } as const
    show({ type: 'failed', failure: { ...failure, class: 'too_large', detail } })
    expect(screen.queryByRole('button')).toBeNull()
  })

  it.each(['timeout', 'rate_limited', 'service_unavailable', 'invalid_input', 'not_found'] as const)(
    'promises no automatic retry after %s',
    (kind) => {
      const ended = { ...failure, class: kind } as Failure
      for (const outcome of [
        { type: 'halted', guard: 'repeat', failure: ended },
        { type: 'failed', failure: ended },
      ] as const) {
        const { textContent } = show(outcome).container
        expect(textContent).toMatch(/ry again|choose another model/)
        expect(textContent).not.toMatch(/will be tried|The assistant/)
        cleanup()
      }
    },
  )

  it('explains a halt by a guard', () => {
    expect(show({ type: 'halted', guard: 'repeat' }).container.textContent).toContain('made no progress')
  })

  it('names the tool of a halted turn and how often it was tried', () => {
    const { textContent } = show({ type: 'halted', guard: 'repeat', tool: 'read_file', count: 3 }).container
    expect(textContent).toContain('Last tool: Read file. Attempts: 3.')
  })

  it('offers the suggested answers of a question', () => {
    const { onAnswer } = show({ type: 'needs-input', callId: callId('9') })
    fireEvent.click(screen.getByRole('button', { name: 'Home' }))
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith('Home')
  })

  it('no longer waits for an answer that was given', () => {
    const question = { type: 'needs-input', callId: callId('9') } as const
    expect(show(question).container.textContent).toContain('Waiting for your answer')
    cleanup()
    expect(show(question, { isLast: false }).container.textContent).toBe('')
  })
})
