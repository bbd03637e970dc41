// @vitest-environment jsdom
import type {
  ActionRow,
  ConnectionRow,
  McpServerPost,
  ScopeSettings,
  ServerProfile,
  ToolkitList,
} from '@capstan/protocol'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ApiClient } from '@capstan/client'
import { ApiError } from '@capstan/client'
import type { FakeServer } from '../../socket/fake-server.fixture.ts'
import { createFakeServer } from '../../socket/fake-server.fixture.ts'
import { ServerProvider } from '../../socket/server-context.tsx'
import { ToastProvider } from '../../ui/overlays/toast.tsx'
import { ConnectionsPage } from '../connections-page.tsx'
import { account, toolkit } from '../toolkit.fixture.ts'

function open(toolkits: ToolkitList['toolkits'], answers: Partial<ApiClient> = {}): FakeServer {
  const server = createFakeServer({
    toolkits: () => Promise.resolve({ authoritative: true, toolkits }),
    mcpServers: () => Promise.resolve({ servers: [] }),
    ...answers,
  })
  render(
    <ServerProvider api={server.api} socket={server.socket}>
      <ToastProvider>
        <ConnectionsPage />
      </ToastProvider>
    </ServerProvider>,
  )
  return server
}

const card = async (name: string): Promise<HTMLElement> => screen.findByRole('article', { name })
const press = (element: HTMLElement): boolean => fireEvent.click(element)

/** A window that the browser opened, and its address. */
function allowWindow(): { readonly visited: string[]; readonly isClosed: () => boolean } {
  const visited: string[] = []
  let isClosed = false
  vi.spyOn(window, 'open').mockReturnValue({
    opener: {},
    location: { replace: (url: string) => visited.push(url) },
    close: () => (isClosed = true),
  } as unknown as Window)
  return { visited, isClosed: () => isClosed }
}

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

describe('the connections page', () => {
  it('shows the state of each app and why one failed', async () => {
    open([
      toolkit('notes', { connections: [account('notes', { label: 'ada@example.org' })] }),
      toolkit('mail', { connections: [account('mail', { status: 'failed', reason: 'It said no.' })] }),
      toolkit('clock', { auth: 'none' }),
    ])
    expect(within(await card('Notes')).getByText('Connected')).toBeTruthy()
    expect(within(await card('Notes')).getByText('ada@example.org')).toBeTruthy()
    expect(within(await card('Mail')).getByText('It said no.')).toBeTruthy()
    expect(within(await card('Clock')).getByText('No sign-in needed')).toBeTruthy()
    expect(within(await card('Clock')).queryByRole('button', { name: /Connect/ })).toBeNull()
  })

  it('never shows an empty list when no service answered', async () => {
    open([], { toolkits: () => Promise.resolve({ authoritative: false, toolkits: [] }) })
    expect(await screen.findByText('This list may be out of date')).toBeTruthy()
    expect(screen.queryByText('No apps yet')).toBeNull()
  })

  it('shows why the list could not be loaded and loads it again', async () => {
    let isUp = false
    open([], {
      toolkits: () =>
        isUp
          ? Promise.resolve({ authoritative: true, toolkits: [toolkit('notes')] })
          : Promise.reject(new ApiError({ code: 'unavailable', message: '' })),
    })
    expect(await screen.findByText('The apps could not be loaded')).toBeTruthy()
    isUp = true
    press(screen.getByRole('button', { name: 'Try again' }))
    expect(await card('Notes')).toBeTruthy()
  })

  it('applies a connection update without loading the list again', async () => {
    const toolkits = vi.fn(() => Promise.resolve({ authoritative: true, toolkits: [toolkit('notes')] }))
    const server = open([], { toolkits })
    await card('Notes')
    act(() => server.send('connection-change', account('notes', { label: 'ada@example.org' })))
    expect(within(await card('Notes')).getByText('ada@example.org')).toBeTruthy()
    expect(toolkits).toHaveBeenCalledTimes(1)
    act(() => server.send('toolkits-change'))
    await waitFor(() => expect(toolkits).toHaveBeenCalledTimes(2))
  })

  it.each(['offline', 'connecting', 'signed-out'] as const)(
    'shows no error of its own while the server is %s',
    async (state) => {
      const server = open([], {
        toolkits: () => Promise.reject(new ApiError({ code: 'unreachable', message: '' })),
      })
      await screen.findByText(/could not be loaded/)
      act(() => server.become(state))
      expect(screen.queryByText(/could not be loaded/)).toBeNull()
      expect(screen.queryByRole('alert')).toBeNull()
    },
  )

  it('disables changes while the server is away', async () => {
    const server = open([toolkit('notes')])
    await card('Notes')
    act(() => server.become('offline'))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Connect Notes' }).disabled).toBe(true)
  })
})

describe('signing in on the connections page', () => {
  const pending: ConnectionRow = account('notes', { id: 'new', status: 'pending' })

  it('opens a window when the button is pressed and loads the sign-in page in it', async () => {
    const { visited } = allowWindow()
    const server = open([toolkit('notes')], {
      connect: () => Promise.resolve(pending),
      signIn: () => Promise.resolve({ type: 'visit', url: 'https://service.example/consent' }),
    })
    press(await screen.findByRole('button', { name: 'Connect Notes' }))
    expect(window.open).toHaveBeenCalledTimes(1)
    await waitFor(() => expect(visited).toEqual(['https://service.example/consent']))
    act(() => server.send('connection-change', { ...pending, status: 'active' }))
    expect(within(await card('Notes')).getByText('Connected')).toBeTruthy()
  })

  it('shows a link when the browser blocks the window', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null)
    open([toolkit('notes')], {
      connect: () => Promise.resolve(pending),
      signIn: () => Promise.resolve({ type: 'visit', url: 'https://service.example/consent' }),
    })
    press(await screen.findByRole('button', { name: 'Connect Notes' }))
    const link = await screen.findByRole('link', { name: 'Open the sign-in page of Notes' })
    expect(link.getAttribute('href')).toBe('https://service.example/consent')
    expect(link.getAttribute('rel')).toContain('noopener')
  })

  it('signs in again to the account that expired, not to a new one', async () => {
    const { visited } = allowWindow()
    const connect = vi.fn()
    const signIn = vi.fn(() => Promise.resolve({ type: 'visit', url: 'https://service.example/' } as const))
    open([toolkit('notes', { connections: [account('notes', { id: 'old', status: 'expired' })] })], {
      connect,
      signIn,
    })
    press(await screen.findByRole('button', { name: 'Sign in again' }))
    await waitFor(() => expect(visited).toHaveLength(1))
    expect(signIn).toHaveBeenCalledWith('old')
    expect(connect).not.toHaveBeenCalled()
  })

  it('asks for a key without a window, and keeps a refused key for correction', async () => {
    allowWindow()
    const giveKey = vi.fn(() => Promise.reject(new ApiError({ code: 'invalid', message: '' })))
    open([toolkit('notes', { auth: 'key' })], {
      connect: () => Promise.resolve(pending),
      signIn: () => Promise.resolve({ type: 'key' }),
      giveKey,
    })
    press(await screen.findByRole('button', { name: 'Connect Notes' }))
    const field = await screen.findByLabelText<HTMLInputElement>(/key/i, {
      selector: '[type="password"][id]:not([dir])',
    })
    fireEvent.change(field, { target: { value: 'a-key' } })
    fireEvent.submit(field)
    await waitFor(() => expect(giveKey).toHaveBeenCalledWith('new', 'a-key'))
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
    expect(field.value).toBe('a-key')
    expect(window.open).not.toHaveBeenCalled()
  })

  it('disconnects only after a confirmation that explains it', async () => {
    const disconnect = vi.fn(() => Promise.resolve())
    open([toolkit('notes', { connections: [account('notes', { id: 'a', label: 'ada@example.org' })] })], {
      disconnect,
    })
    fireEvent.keyDown(await screen.findByRole('button', { name: 'Actions for ada@example.org' }), {
      key: 'Enter',
    })
    press(await screen.findByRole('menuitem', { name: 'Disconnect' }))
    const dialog = await screen.findByRole('dialog', { name: 'Disconnect ada@example.org?' })
    expect(disconnect).not.toHaveBeenCalled()
    press(within(dialog).getByRole('button', { name: 'Disconnect' }))
    await waitFor(() => expect(disconnect).toHaveBeenCalledWith('a'))
  })
})

describe('the actions of an app', () => {
  const look: ActionRow = {
    name: 'overview',
    description: 'Shows all.',
    effect: 'write',
    because: 'name',
    digest: 'digest-1',
  }

  it('show what each counts as and why, and take a choice and its withdrawal', async () => {
    let row = look
    const setActionEffect = vi.fn<ApiClient['setActionEffect']>((_, { effect }) => {
      row = effect === null ? look : { ...look, effect, because: 'user' }
      return Promise.resolve()
    })
    open([toolkit('notes', { connections: [account('notes')] })], {
      actions: () => Promise.resolve({ actions: [row] }),
      setActionEffect,
    })
    press(await screen.findByRole('button', { name: 'Actions' }))
    expect(screen.queryByRole('switch', { name: 'Trust what this server says' })).toBeNull()
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'What overview counts as' })
    expect(choice.value).toBe('write')
    expect(screen.getByText('By its name and arguments')).toBeTruthy()
    fireEvent.change(choice, { target: { value: 'read' } })
    expect(await screen.findByText('Set by you')).toBeTruthy()
    expect(setActionEffect).toHaveBeenLastCalledWith('notes', {
      action: 'overview',
      effect: 'read',
      digest: 'digest-1',
    })
    fireEvent.change(choice, { target: { value: 'standard' } })
    expect(await screen.findByText('By its name and arguments')).toBeTruthy()
    expect(setActionEffect.mock.lastCall?.[1].effect).toBeNull()
  })

  it('say why they cannot be shown', async () => {
    open([toolkit('notes', { connections: [account('notes')] })], {
      actions: () => Promise.reject(new ApiError({ code: 'unavailable', message: '' })),
    })
    press(await screen.findByRole('button', { name: 'Actions' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(/not available right now/)
  })

  it('of a server that the person added can be trusted', async () => {
    const changeMcpServer = vi.fn<ApiClient['changeMcpServer']>(() => Promise.reject(new Error('not now')))
    open([toolkit('notes', { isOwn: true, isTrusted: false, connections: [account('notes')] })], {
      actions: () => Promise.resolve({ actions: [look] }),
      changeMcpServer,
    })
    press(await screen.findByRole('button', { name: 'Actions' }))
    press(await screen.findByRole('switch', { name: 'Trust what this server says' }))
    await waitFor(() => expect(changeMcpServer).toHaveBeenCalledWith('notes', { isTrusted: true }))
  })
})

describe('the permissions of an app', () => {
  const notes = toolkit('notes', { connections: [account('notes')] })

  it('switch at once, and back when the server refuses', async () => {
    let refuse: (error: unknown) => void = () => undefined
    open([notes], { setScopes: () => new Promise((_, reject) => (refuse = reject)) })
    press(await screen.findByRole('button', { name: 'What the assistant may do' }))
    const write = screen.getByRole('switch', { name: 'Write' })
    press(write)
    expect(write.getAttribute('aria-checked')).toBe('false')
    act(() => refuse(new ApiError({ code: 'unavailable', message: '' })))
    await waitFor(() => expect(write.getAttribute('aria-checked')).toBe('true'))
    expect(await screen.findByText(/not available right now/)).toBeTruthy()
  })

  it('ask for confirmation to allow administration, not to withdraw it', async () => {
    const set: ScopeSettings[] = []
    open([notes], {
      setScopes: (_, scopes) => {
        set.push(scopes)
        return Promise.resolve(scopes)
      },
    })
    press(await screen.findByRole('button', { name: 'What the assistant may do' }))
    press(screen.getByRole('switch', { name: 'Administer' }))
    expect(set).toEqual([])
    press(await screen.findByRole('button', { name: 'Allow it' }))
    await waitFor(() => expect(set).toEqual([{ read: true, write: true, admin: true }]))
    await waitFor(() =>
      expect(screen.getByRole('switch', { name: 'Administer' }).getAttribute('aria-checked')).toBe('true'),
    )
    press(screen.getByRole('switch', { name: 'Administer' }))
    await waitFor(() => expect(set.at(-1)).toEqual({ read: true, write: true, admin: false }))
  })
})

describe('adding a server', () => {
  const type = (label: string, value: string): boolean =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } })

  async function begin(answers: Partial<ApiClient>): Promise<void> {
    open([toolkit('notes')], answers)
    press(await screen.findByRole('button', { name: 'Add an MCP server' }))
  }

  it('shows the problem of each field and keeps the input', async () => {
    await begin({})
    type('Address', 'http://tracker.example')
    type('Name', '')
    press(screen.getByRole('button', { name: 'Add server' }))
    expect(await screen.findByText(/It must begin with https\. Plain/)).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('http://tracker.example')
    expect(document.activeElement).toBe(screen.getByLabelText('Address'))
  })

  it('shows a refusal of the server at its field and keeps the input', async () => {
    await begin({
      previewMcpServer: () => Promise.resolve({ slug: 'tracker' }),
      addMcpServer: () =>
        Promise.reject(
          new ApiError({ code: 'invalid', field: 'transport.url', message: 'It is no MCP server.' }),
        ),
    })
    type('Address', 'https://tracker.example/mcp')
    press(screen.getByRole('button', { name: 'Add server' }))
    expect(await screen.findByText(/It is no MCP server\./)).toBeTruthy()
    expect(screen.getByLabelText('Address').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Tracker')
  })

  it('shows the exact command and runs nothing before the confirmation', async () => {
    const added: McpServerPost[] = []
    await begin({
      previewMcpServer: () => Promise.resolve({ slug: 'files', command: "npx files 'my notes'" }),
      addMcpServer: (post) => {
        added.push(post)
        return Promise.resolve({ slug: 'files', name: post.name, transport: post.transport, shared: false })
      },
    })
    press(screen.getByLabelText(/^By command/))
    type('Command', 'npx files "my notes"')
    press(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText("npx files 'my notes'")).toBeTruthy()
    press(screen.getByRole('button', { name: 'Run it and add' }))
    expect(await screen.findByText(/Tick the box first/)).toBeTruthy()
    expect(added).toEqual([])
    press(screen.getByRole('checkbox'))
    press(screen.getByRole('button', { name: 'Run it and add' }))
    await waitFor(() =>
      expect(added).toEqual([
        {
          name: 'Files',
          transport: { type: 'stdio', command: 'npx', args: ['files', 'my notes'] },
          confirmedCommand: "npx files 'my notes'",
        },
      ]),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('shows what the program may reach and sends what was changed', async () => {
    const added: McpServerPost[] = []
    const sandbox: ServerProfile = {
      folders: [{ path: '/opt/files', access: 'read' }],
      network: 'off',
      hosts: [],
      environment: [],
    }
    await begin({
      sandbox: () => Promise.resolve({ state: 'unavailable', found: 'Install bubblewrap.' }),
      previewMcpServer: () => Promise.resolve({ slug: 'files', command: 'npx files', sandbox }),
      addMcpServer: (post) => {
        added.push(post)
        return Promise.resolve({ slug: 'files', name: post.name, transport: post.transport, shared: false })
      },
    })
    press(screen.getByLabelText(/^By command/))
    type('Command', 'npx files')
    press(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText(/Install bubblewrap\./)).toBeTruthy()
    expect(screen.getByLabelText<HTMLTextAreaElement>('Folders it may read').value).toBe('/opt/files')
    type('Folders it may read and change', '/home/ada/notes\n')
    type('Network', 'hosts')
    type('Hosts', 'example.com')
    type('Environment variables', 'TOKEN')
    press(screen.getByRole('checkbox'))
    press(screen.getByRole('button', { name: 'Run it and add' }))
    await waitFor(() =>
      expect(added).toMatchObject([
        {
          sandbox: {
            folders: [
              { path: '/opt/files', access: 'read' },
              { path: '/home/ada/notes', access: 'write' },
            ],
            network: 'hosts',
            hosts: ['example.com'],
            environment: ['TOKEN'],
          },
        },
      ]),
    )
  })

  it('shows a changed command and asks for confirmation again', async () => {
    let command = 'npx one'
    await begin({
      previewMcpServer: () => Promise.resolve({ slug: 'files', command }),
      addMcpServer: () =>
        Promise.reject(new ApiError({ code: 'invalid', field: 'confirmedCommand', message: 'is another' })),
    })
    press(screen.getByLabelText(/^By command/))
    type('Command', 'npx files')
    press(screen.getByRole('button', { name: 'Next' }))
    await screen.findByText('npx one')
    press(screen.getByRole('checkbox'))
    command = 'npx two'
    press(screen.getByRole('button', { name: 'Run it and add' }))
    expect(await screen.findByText('npx two')).toBeTruthy()
    expect(screen.getByText(/has changed since you saw it/)).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(false)
  })

  it('returns to the form with the input unchanged', async () => {
    await begin({ previewMcpServer: () => Promise.resolve({ slug: 'files', command: 'npx files' }) })
    press(screen.getByLabelText(/^By command/))
    type('Command', 'npx files')
    press(screen.getByRole('button', { name: 'Next' }))
    press(await screen.findByRole('button', { name: 'Back' }))
    expect(screen.getByLabelText<HTMLTextAreaElement>('Command').value).toBe('npx files')
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Files')
  })
})
