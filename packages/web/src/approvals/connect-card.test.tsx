// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConnectionRow, Failure, SignInReply } from '@capstan/protocol'
import { ServerProvider } from '../socket/server-context.tsx'
import type { ApiClient, Turn } from '@capstan/client'
import { createFakeServer } from '../socket/fake-server.fixture.ts'
import { EMPTY_THREAD, foldEvents } from '@capstan/client'
import { calls, connects, ends, fails, iteration, Recording, starts } from '@capstan/client/testing'
import { ThreadScopeContext } from '../state/thread-scope.ts'
import { Asks } from './asks.tsx'

const visit = (url: string): SignInReply => ({ type: 'visit', url })
const opened = { opener: {}, location: { replace: vi.fn() }, close: vi.fn() }

beforeEach(() => {
  opened.location.replace.mockClear()
  opened.close.mockClear()
  vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const toTurn = ({ events }: Recording): Turn => foldEvents(EMPTY_THREAD, events).turns[0]!

/** A turn that waits for two apps. */
function waiting(): Turn {
  const recording = new Recording()
    .add('a', starts('Hi'), iteration(1), calls(1, '1', 'connect_app'), connects('1', 'connection_1'))
    .add('a', calls(1, '2', 'connect_app'), {
      ...connects('2', 'connection_2'),
      name: 'Mail',
      toolkit: 'mail',
    } as never)
  return toTurn(recording)
}

/** A turn that asked for Notes and ended without it. */
function over(failure: Partial<Failure>, output = ''): Turn {
  const why = { class: 'not_connected', category: 'needs_user', cause: output, next: '', recoverable: false }
  return toTurn(
    new Recording().add(
      'a',
      starts('Save it'),
      iteration(1),
      calls(1, '1', 'connect_app'),
      connects('1', 'connection_1'),
      fails(1, '1', 'connect_app', { ...why, ...failure } as Failure),
      ends('Without Notes I cannot do it.'),
    ),
  )
}

const DECLINED = { class: 'denied_by_user', category: 'declined' } as const

function show(
  reply: SignInReply,
  more: Partial<ApiClient> = {},
  {
    turn = waiting(),
    isLast = true,
    askAgain,
  }: { turn?: Turn; isLast?: boolean; askAgain?: () => void } = {},
) {
  const signIn = vi.fn(() => Promise.resolve(reply))
  const server = createFakeServer({ signIn, ...more })
  render(
    <ServerProvider api={server.api} socket={server.socket}>
      <ThreadScopeContext
        value={{ threadId: 'thread_1', opened: new Map(), ...(askAgain ? { askAgain } : {}) }}
      >
        <Asks turn={turn} isLast={isLast} />
      </ThreadScopeContext>
    </ServerProvider>,
  )
  const settle = (
    id: string,
    status: ConnectionRow['status'],
    why: Pick<ConnectionRow, 'reason' | 'reasonCode'> = {},
  ): void => act(() => server.send('connection-change', { id, status, ...why } as ConnectionRow))
  return { signIn, settle }
}

const card = (name: string): HTMLElement => screen.getByRole('region', { name: `Connect ${name}` })
const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }))

/** The window shows the sign-in, and the card was drawn again after that. */
async function untilSentAway(): Promise<void> {
  await waitFor(() => expect(opened.location.replace).toHaveBeenCalled())
  await act(async () => {})
}

describe('the connect card', () => {
  it('opens a window when the button is pressed and loads the sign-in page in it', async () => {
    const { signIn } = show(visit('https://notes.example/consent'))
    press('Connect Notes')
    expect(window.open).toHaveBeenCalledTimes(1)
    await waitFor(() => expect(opened.location.replace).toHaveBeenCalledWith('https://notes.example/consent'))
    expect(opened.opener).toBeNull()
    expect(signIn).toHaveBeenCalledExactlyOnceWith('connection_1')
    expect(card('Notes').textContent).toContain('Waiting for you to sign in')
  })

  it('shows a link when the browser blocks the window', async () => {
    vi.mocked(window.open).mockReturnValue(null)
    show(visit('https://notes.example/consent'))
    press('Connect Notes')
    const link = await screen.findByRole('link', { name: 'Open the sign-in page of Notes' })
    expect(link.getAttribute('href')).toBe('https://notes.example/consent')
    expect(link.getAttribute('rel')).toContain('noopener')
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'nonsense'])(
    'never opens the address %s',
    async (url) => {
      show(visit(url))
      press('Connect Notes')
      await waitFor(() => expect(card('Notes').textContent).toContain('not safe to open'))
      expect(opened.location.replace).not.toHaveBeenCalled()
      expect(opened.close).toHaveBeenCalled()
      expect(screen.queryByRole('link')).toBeNull()
    },
  )

  it('is settled by a connection update and leaves the other card unchanged', async () => {
    const { settle } = show(visit('https://notes.example/consent'))
    press('Connect Notes')
    await untilSentAway()
    settle('connection_1', 'active')
    expect(card('Notes').textContent).toContain('Notes is connected')
    expect(screen.getByRole('button', { name: 'Connect Mail' })).toBeTruthy()
  })

  it('shows why a sign-in failed and starts a new one', async () => {
    const connect = vi.fn(() => Promise.resolve({ id: 'connection_9' } as ConnectionRow))
    const { settle, signIn } = show(visit('https://notes.example/consent'), { connect })
    press('Connect Notes')
    await untilSentAway()
    settle('connection_1', 'failed', { reason: 'You said no there.' })
    expect(card('Notes').textContent).toContain('You said no there.')
    press('Try again')
    await waitFor(() => expect(signIn).toHaveBeenLastCalledWith('connection_9'))
    expect(connect).toHaveBeenCalledExactlyOnceWith('notes')
  })

  it('disconnects when the person declines', async () => {
    const disconnect = vi.fn(() => Promise.resolve())
    show(visit('https://notes.example/consent'), { disconnect })
    fireEvent.click(screen.getAllByRole('button', { name: 'Not now' })[0]!)
    await waitFor(() => expect(card('Notes').textContent).toContain('You did not connect Notes.'))
    expect(disconnect).toHaveBeenCalledExactlyOnceWith('connection_1')
  })

  it('asks for a key and shows that the key was refused', async () => {
    const giveKey = vi.fn(() => Promise.resolve({ id: 'connection_1', status: 'pending' } as ConnectionRow))
    show({ type: 'key' }, { giveKey })
    press('Connect Notes')
    const field = await screen.findByLabelText('Key for Notes')
    expect(field.getAttribute('type')).toBe('password')
    fireEvent.change(field, { target: { value: 'abc' } })
    press('Connect')
    await waitFor(() => expect(card('Notes').textContent).toContain('The key was not accepted.'))
    expect(giveKey).toHaveBeenCalledExactlyOnceWith('connection_1', 'abc')
    expect(opened.close).toHaveBeenCalled()
  })
})

describe('the connect card after a turn that ended without the app', () => {
  it.each([
    ['You did not connect Notes.', over(DECLINED)],
    ['Notes could not be connected.', over({}, 'The request was denied by the user.')],
    ['Notes could not be connected.', over({}, 'Notes could not be connected. It took too long.')],
  ])('shows "%s"', (words, turn) => {
    show(visit('https://notes.example/consent'), {}, { turn })
    expect(card('Notes').textContent).toContain(words)
  })

  it('starts a new sign-in and then offers to ask again', async () => {
    const connect = vi.fn(() => Promise.resolve({ id: 'connection_9' } as ConnectionRow))
    const askAgain = vi.fn()
    const turn = over(DECLINED)
    const { settle } = show(visit('https://notes.example/consent'), { connect }, { turn, askAgain })
    press('Try again')
    await untilSentAway()
    expect(connect).toHaveBeenCalledExactlyOnceWith('notes')
    settle('connection_9', 'active')
    expect(card('Notes').textContent).toContain('Notes is connected')
    press('Ask again')
    expect(askAgain).toHaveBeenCalledExactlyOnceWith(turn)
  })

  it('shows a refused consent as declined', async () => {
    const { settle } = show(visit('https://notes.example/consent'))
    press('Connect Notes')
    await untilSentAway()
    settle('connection_1', 'failed', { reason: 'It was denied.', reasonCode: 'declined' })
    expect(card('Notes').textContent).toContain('You did not connect Notes.')
    expect(card('Notes').textContent).not.toContain('denied')
  })

  it('says in its own words why a server could not be reached', async () => {
    const { settle } = show(visit('https://notes.example/consent'))
    press('Connect Notes')
    await untilSentAway()
    settle('connection_1', 'failed', { reason: 'words of a server', reasonCode: 'not-mcp' })
    expect(card('Notes').textContent).toContain('No MCP server answers at this address')
    expect(card('Notes').textContent).not.toContain('words of a server')
  })

  it('offers no action after another message', () => {
    show(visit('https://notes.example/consent'), {}, { turn: over(DECLINED), isLast: false })
    expect(card('Notes').textContent).toContain('You did not connect Notes.')
    expect(screen.queryByRole('button')).toBeNull()
  })
})
