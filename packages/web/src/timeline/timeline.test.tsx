// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Failure, ToolkitList, TurnEvent } from '@capstan/protocol'
import type { ApiClient } from '@capstan/client'
import { ServerProvider } from '../socket/server-context.tsx'
import { createFakeServer } from '../socket/fake-server.fixture.ts'
import { EMPTY_THREAD, foldEvents } from '@capstan/client'
import { calls, ends, fails, iteration, Recording, recordSampleThread, starts } from '@capstan/client/testing'
import type { ThreadScope } from '../state/thread-scope.ts'
import { parseCallParam, ThreadScopeContext, toCallParam } from '../state/thread-scope.ts'
import { Timeline } from './timeline.tsx'

afterEach(cleanup)

function show(
  events: readonly TurnEvent[],
  scope: Partial<ThreadScope> = {},
  answers: Partial<ApiClient> = {},
): HTMLElement {
  const server = createFakeServer(answers)
  const turn = foldEvents(EMPTY_THREAD, events).turns[0]!
  return render(
    <ServerProvider api={server.api} socket={server.socket}>
      <ThreadScopeContext value={{ threadId: 'thread_1', opened: new Map(), ...scope }}>
        <Timeline turn={turn} />
      </ThreadScopeContext>
    </ServerProvider>,
  ).container
}

const open = (): void => void fireEvent.click(screen.getByRole('button', { name: /View processing/ }))

const failed = (failure: Partial<Failure>): readonly TurnEvent[] =>
  new Recording().add(
    'a',
    starts('Hi'),
    iteration(1),
    calls(1, '1', 'fetch', { toolkit: 'notes' }, 'Fetch it'),
    fails(1, '1', 'fetch', {
      class: 'service_unavailable',
      category: 'transient',
      cause: 'Payload cause.',
      next: 'Payload next.',
      recoverable: true,
      ...failure,
    }),
    ends('Sorry.'),
  ).events

describe('View processing', () => {
  it('says in its own words what the model was told', () => {
    const told = new Recording().add(
      'a',
      starts('Hi'),
      iteration(1),
      { type: 'guard-nudge', iteration: 1, guard: 'ping-pong', text: 'Written for the model.' },
      { type: 'guard-nudge', iteration: 1, guard: 'consecutive-failures', text: 'Written for the model.' },
      {
        type: 'notice-add',
        iteration: 1,
        text: 'Written for the model.',
        fact: { kind: 'tool-added', name: 'search' },
      },
      ends('Done.'),
    ).events
    const shown = show(told)
    open()
    expect(shown.textContent).toContain('repeats itself without progress')
    expect(shown.textContent).toContain('several calls in a row have failed')
    expect(shown.textContent).toContain('New tool: search')
    expect(shown.textContent).not.toContain('Written for the model.')
  })

  it('is one line with steps, time and cost until it is opened', () => {
    const shown = show(recordSampleThread())
    expect(shown.textContent).toContain('3 steps')
    expect(shown.textContent).toContain('$0.003')
    expect(screen.queryByText('Connect an app')).toBeNull()
  })

  it('counts failures that nothing made good, and none of those that were put right on the way', () => {
    expect(show(recordSampleThread()).textContent).not.toContain('failed')
    cleanup()
    expect(show(failed({})).textContent).toContain('1 failed')
  })

  it('does not count the wait for the person as work', () => {
    // The thread lasted 16 seconds, of which 13 were waits.
    expect(show(recordSampleThread()).textContent).toMatch(/3 steps3(\.\d)? s/)
  })

  it('opens the stored transcript of a sub-agent with the keyboard, also after a reload', async () => {
    const opened = new Map<string, boolean>()
    for (const visit of ['first', 'reloaded']) {
      const transcript = vi.fn(async () => `# integrations\n\nThe whole ${visit} task.`)
      show(recordSampleThread(), { opened }, { transcript })
      if (visit === 'first') {
        open()
        const button = screen.getAllByRole('button', { name: 'Transcript' })[0]!
        button.focus()
        expect(document.activeElement).toBe(button)
        fireEvent.click(button)
      }
      expect(await screen.findByText(/The whole \w+ task\./)).toBeTruthy()
      expect(transcript).toHaveBeenCalledTimes(1)
      cleanup()
    }
  })

  it('shows iterations, thoughts, intermediate text, calls, sub-agents and notices', () => {
    const shown = show(recordSampleThread())
    open()
    for (const words of ['Step 1', 'Thoughts', 'Let me connect Notes first.', 'Connect an app', 'Step 3'])
      expect(shown.textContent).toContain(words)
    expect(shown.textContent).toContain('Notes connected, ready to use')
    expect(shown.textContent).toContain('Helper: integrations')
    expect(shown.textContent).toContain('You added: And thank you')
    expect(shown.textContent).toContain('Allowed once')
  })

  it('does not show a sub-agent as done when the call that started it failed', () => {
    const refused = {
      class: 'rate_limited',
      category: 'transient',
      cause: 'Busy.',
      next: 'Later.',
      recoverable: true,
    } as const
    const recording = new Recording()
      .add('a', starts('Hi'), iteration(1), calls(1, '1', 'delegate', {}, 'Ask Notes'))
      .add('b', starts('Bring it', ['a', '1']), iteration(1), ends('Not done: busy.'))
      .add('a', fails(1, '1', 'delegate', refused), ends('It was not done.'))
    const shown = show(recording.events)
    open()
    expect(shown.textContent).toMatch(/Helper: \S+.*Not finished/)
  })

  it('shows a notice by its fact, and by its text when it has none', () => {
    const text = 'The app Notes is connected now.'
    const recording = new Recording().add(
      'a',
      starts('Hi'),
      iteration(1),
      {
        type: 'notice-add',
        iteration: 1,
        text: 'For the model.',
        fact: { kind: 'app-disconnected', name: 'My Drive' },
      },
      { type: 'notice-add', iteration: 1, text },
      ends('Done.'),
    )
    const shown = show(recording.events)
    open()
    expect(shown.textContent).toContain('My Drive is no longer connected')
    expect(shown.textContent).not.toContain('For the model.')
    expect(shown.textContent).toContain(text)
  })

  it('opens a call with its arguments and its output', () => {
    const shown = show(recordSampleThread())
    open()
    expect(shown.textContent).not.toContain('"toolkit": "notes"')
    fireEvent.click(screen.getByRole('button', { name: /Connect an app/ }))
    expect(shown.textContent).toContain('"toolkit": "notes"')
    expect(shown.textContent).toContain('Notes is connected.')
  })

  it('shows the current step while the turn runs', () => {
    const running = new Recording().add(
      'a',
      starts('Hi'),
      iteration(1),
      calls(1, '1', 'x', {}, 'Search', 'the sea'),
    )
    expect(show(running.events).textContent).toContain('Search the sea')
  })
})

describe('a failed call in the timeline', () => {
  it('shows why it failed and what to do next, by its class', () => {
    const shown = show(failed({}))
    open()
    const lines = within(shown).getByText('Why').closest('dl')!
    expect(lines.textContent).toContain('The service cannot be reached or is not working right now.')
    expect(lines.textContent).toContain('What to do next')
  })

  it('shows the text of the payload for an unknown class', () => {
    const shown = show(failed({ class: 'moon_phase' as never }))
    open()
    expect(shown.textContent).toContain('Payload cause.')
    expect(shown.textContent).toContain('Payload next.')
  })

  it.each([
    ['not_connected', 'button', 'Connect'],
    ['bad_credentials', 'button', 'Reconnect'],
    ['missing_permission', 'link', 'Allow'],
    ['blocked_by_policy', 'link', 'Open settings'],
    ['unknown', 'link', 'Run diagnostics'],
    ['timeout', 'button', 'Try again'],
  ] as const)('of class %s has a %s for the next step', (kind, role, name) => {
    show(failed({ class: kind }), { askAgain: vi.fn() })
    open()
    expect(screen.getByRole(role, { name })).toBeTruthy()
  })

  describe('because its kind of action is switched off', () => {
    const remedyFor = (effect: 'write' | 'admin') =>
      ({ kind: 'allow-actions', toolkit: 'notes', name: 'Notes', effect, action: 'delete_pages' }) as const
    const scopes = { read: true, write: false, admin: false }
    const list = { authoritative: true, toolkits: [{ slug: 'notes', scopes }] }
    const toolkits = () => Promise.resolve(list as unknown as ToolkitList)

    it('says what it was, and has a button that allows the kind in that app', async () => {
      const setScopes = vi.fn((_: string, body: typeof scopes) => Promise.resolve(body))
      const askAgain = vi.fn()
      const failure = { class: 'blocked_by_policy', remedy: remedyFor('write') } as const
      const shown = show(failed(failure), { askAgain }, { toolkits, setScopes })
      open()
      expect(shown.textContent).toContain('delete_pages belongs to “Write”, which is switched off in Notes.')
      fireEvent.click(screen.getByRole('button', { name: 'Allow “Write” in Notes' }))
      await screen.findByText(/“Write” is allowed in Notes now\. The next try will not be refused/)
      expect(setScopes).toHaveBeenCalledExactlyOnceWith('notes', { ...scopes, write: true })
      fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
      expect(askAgain).toHaveBeenCalledOnce()
    })

    it('asks before it allows administration, and stays off when that is cancelled', () => {
      const setScopes = vi.fn()
      show(failed({ class: 'blocked_by_policy', remedy: remedyFor('admin') }), {}, { toolkits, setScopes })
      open()
      fireEvent.click(screen.getByRole('button', { name: 'Allow “Administer” in Notes' }))
      const dialog = screen.getByRole('dialog', { name: 'Allow the assistant to administer Notes?' })
      fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
      expect(setScopes).not.toHaveBeenCalled()
    })
  })

  it.each(['denied_by_user', 'not_found', 'interrupted'] as const)('of class %s has no button', (kind) => {
    const shown = show(failed({ class: kind }), { askAgain: vi.fn() })
    open()
    expect(shown.querySelector('.timeline-failure-actions')).toBeNull()
  })

  it('with a lost sign-in signs in to the same account', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null)
    const signIn = vi.fn(() => Promise.resolve({ type: 'visit', url: 'https://notes.example' } as const))
    const connections = [
      { id: 'good', status: 'active' },
      { id: 'lost', status: 'expired' },
    ]
    const list = { authoritative: true, toolkits: [{ slug: 'notes', connections }] }
    const toolkits = () => Promise.resolve(list as unknown as ToolkitList)
    show(failed({ class: 'bad_credentials' }), {}, { toolkits, signIn })
    open()
    fireEvent.click(screen.getByRole('button', { name: 'Reconnect' }))
    await waitFor(() => expect(signIn).toHaveBeenCalledExactlyOnceWith('lost'))
    vi.restoreAllMocks()
  })

  it('of a halted sub-agent says that, not what its class says', () => {
    const shown = show(failed({ class: 'unknown', detail: { kind: 'agent-halted', agent: 'scout' } }))
    open()
    expect(shown.textContent).toContain('The agent scout was stopped because it made no progress.')
    expect(shown.textContent).not.toContain('did not say why')
  })

  it('promises no automatic retry once the turn is over', () => {
    const shown = show(failed({}))
    open()
    expect(shown.textContent).toContain('Try again later.')
    expect(shown.textContent).not.toContain('will be tried again')
  })

  it('sends the message again on request', () => {
    const askAgain = vi.fn()
    show(failed({ class: 'timeout' }), { askAgain })
    open()
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(askAgain).toHaveBeenCalledTimes(1)
  })
})

describe('a link to a call in the timeline', () => {
  it('opens the rows above the call, marks the call and scrolls to it', () => {
    const scrolled = vi.fn()
    HTMLElement.prototype.scrollIntoView = scrolled
    const target = parseCallParam('run_b:call_2')
    const shown = show(recordSampleThread(), { target })
    expect(shown.querySelectorAll('[data-linked]')).toHaveLength(1)
    expect(shown.querySelector('[data-linked]')?.textContent).toContain('notes_delete')
    expect(scrolled).toHaveBeenCalledTimes(1)
  })

  it('names the run, and an old link without a run still works', () => {
    const call = { runId: 'run_b', callId: 'call_2' } as Required<NonNullable<ThreadScope['target']>>
    expect(parseCallParam(toCallParam(call))).toEqual(call)
    expect(parseCallParam('call_2')).toEqual({ callId: 'call_2' })
  })
})
