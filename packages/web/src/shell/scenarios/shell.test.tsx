// @vitest-environment jsdom
import type { Settings, ThreadId, ThreadSummary } from '@capstan/protocol'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { App } from '../../app.tsx'
import type { ApiClient } from '@capstan/client'
import { ApiError } from '@capstan/client'
import { createFakeServer } from '../../socket/fake-server.fixture.ts'
import type { FakeServer } from '../../socket/fake-server.fixture.ts'

const SETTINGS: Settings = {
  model: '',
  modelInUse: { name: 'demo', isDemo: true, from: 'demo', reads: { images: true, files: [] } },
  modelKeys: [],
  safetyMode: 'supervised',
  roots: [],
  sharedRoots: [],
  shell: 'off',
  shellHosts: [],
  hosts: [],
  language: 'en',
  theme: 'system',
  queueMode: 'one-by-one',
  embeddingModel: '',
  reduceMotion: false,
  composio: { isSet: false },
  dataFolder: '/data',
  version: '0.1.0',
  demoApp: true,
}

function thread(id: string, more: Partial<ThreadSummary> = {}): ThreadSummary {
  return { id: id as ThreadId, userId: 'u', title: id, createdAt: 0, updatedAt: Date.now() - 1000, ...more }
}

function open(path: string, answers: Partial<ApiClient> = {}): FakeServer {
  window.history.replaceState(null, '', path)
  const server = createFakeServer({
    settings: () => Promise.resolve(SETTINGS),
    threads: () => Promise.resolve({ threads: [thread('Rope'), thread('Winch')] }),
    diagnostics: () => Promise.resolve({ checks: [] }),
    ...answers,
  })
  render(<App server={server} />)
  return server
}

const list = (): HTMLElement => screen.getByRole('navigation', { name: 'Conversations' })

/** Menus open on pointerdown, which a click of the test library does not send. */
async function choose(title: string, item: string): Promise<void> {
  const button = await within(list()).findByRole('button', { name: `More for ${title}` })
  fireEvent.keyDown(button, { key: 'Enter' })
  fireEvent.click(await screen.findByRole('menuitem', { name: item }))
}

describe('the shell', () => {
  it('says that the disk of the server is full, as soon as the server says so', async () => {
    let settings: Settings = SETTINGS
    const server = open('/', { settings: () => Promise.resolve(settings) })
    await screen.findByRole('navigation', { name: 'Conversations' })
    expect(screen.queryByText('The disk of Capstan is full.')).toBeNull()
    settings = { ...SETTINGS, diskFull: true }
    act(() => server.send('settings-change'))
    expect(await screen.findByText('The disk of Capstan is full.')).toBeDefined()
  })

  beforeEach(() => {
    localStorage.clear()
    // jsdom cannot scroll.
    Element.prototype.scrollIntoView = () => undefined
  })
  afterEach(cleanup)

  it('lists conversations and marks the running one', async () => {
    const server = open('/diagnostics')
    expect(await within(list()).findByRole('link', { name: 'Rope' })).toBeTruthy()
    act(() => server.send('threads-change', [thread('Rope', { activity: 'running' })]))
    expect(within(list()).getByRole('link', { name: 'Working Rope' })).toBeTruthy()
    expect(document.title).toBe('● Diagnostics · Capstan')
  })

  it('deletes a conversation only after the undo time', async () => {
    const deleteThread = vi.fn<ApiClient['deleteThread']>(() => Promise.resolve())
    open('/diagnostics', { deleteThread })
    await choose('Rope', 'Delete')
    expect(within(list()).queryByRole('link', { name: 'Rope' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(within(list()).getByRole('link', { name: 'Rope' })).toBeTruthy()
    expect(deleteThread).not.toHaveBeenCalled()

    await choose('Winch', 'Delete')
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(deleteThread.mock.calls.map(([id]) => id)).toEqual(['Winch'])
  })

  it('undoes a deletion by keyboard and keeps the focus in the list', async () => {
    const deleteThread = vi.fn<ApiClient['deleteThread']>(() => Promise.resolve())
    open('/diagnostics', { deleteThread })
    await choose('Rope', 'Delete')
    await waitFor(() =>
      expect(document.activeElement).toBe(within(list()).getByRole('link', { name: 'Winch' })),
    )
    fireEvent.keyDown(document.body, { key: 'z' })
    expect(within(list()).getByRole('link', { name: 'Rope' })).toBeTruthy()
    expect(deleteThread).not.toHaveBeenCalled()
  })

  it('shows the title of a conversation outside the loaded pages', async () => {
    const oakum = thread('Oakum')
    open('/t/Oakum', { thread: () => Promise.resolve({ thread: oakum, lastSeq: 0 }) })
    await waitFor(() => expect(document.title).toBe('Oakum · Capstan'))
  })

  it('deletes the pending conversation when the page is left', async () => {
    const deleteThread = vi.fn<ApiClient['deleteThread']>(() => Promise.resolve())
    open('/diagnostics', { deleteThread })
    await choose('Rope', 'Delete')
    act(() => void window.dispatchEvent(new Event('pagehide')))
    expect(deleteThread).toHaveBeenCalledTimes(1)
  })

  it('restores a conversation that could not be deleted and shows why', async () => {
    const deleteThread = () => Promise.reject(new ApiError({ code: 'unavailable', message: '' }))
    open('/diagnostics', { deleteThread })
    await choose('Rope', 'Delete')
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(await within(list()).findByRole('link', { name: 'Rope' })).toBeTruthy()
    expect(screen.getByText(/That did not work: This is not available right now/)).toBeTruthy()
  })

  it('renames a conversation in place, and Escape keeps the old title', async () => {
    const changeThread = vi.fn<ApiClient['changeThread']>((_id, { title }) =>
      Promise.resolve(thread('Rope', title === undefined ? {} : { title })),
    )
    open('/diagnostics', { changeThread })
    await choose('Rope', 'Rename')
    const field = screen.getByRole('textbox', { name: 'New title' })
    fireEvent.change(field, { target: { value: 'Hemp' } })
    fireEvent.keyDown(field, { key: 'Escape' })
    expect(changeThread).not.toHaveBeenCalled()

    await choose('Rope', 'Rename')
    const again = screen.getByRole('textbox', { name: 'New title' })
    fireEvent.change(again, { target: { value: '  Hemp ' } })
    fireEvent.keyDown(again, { key: 'Enter' })
    expect(await within(list()).findByRole('link', { name: 'Hemp' })).toBeTruthy()
    expect(changeThread.mock.calls).toEqual([['Rope', { title: 'Hemp' }]])
  })

  it('loads further pages of conversations', async () => {
    const threads = vi.fn<ApiClient['threads']>(({ before } = {}) =>
      Promise.resolve(
        before === undefined
          ? { threads: [thread('Rope', { updatedAt: 20 })], next: 20 }
          : { threads: [thread('Oakum', { updatedAt: 10 })] },
      ),
    )
    open('/diagnostics', { threads })
    fireEvent.click(await within(list()).findByRole('button', { name: 'Show more' }))
    expect(await within(list()).findByRole('link', { name: 'Oakum' })).toBeTruthy()
    expect(within(list()).queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it('shows that the list could not be loaded and loads it again', async () => {
    let isAway = true
    open('/diagnostics', {
      threads: () =>
        isAway
          ? Promise.reject(new ApiError({ code: 'unreachable', message: '' }))
          : Promise.resolve({ threads: [thread('Rope')] }),
    })
    const alert = await within(list()).findByRole('alert')
    expect(alert.textContent).toContain('Capstan cannot be reached')
    isAway = false
    fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await within(list()).findByRole('link', { name: 'Rope' })).toBeTruthy()
  })

  it('searches conversations by keyboard', async () => {
    const searchThreads = vi.fn<ApiClient['searchThreads']>(() =>
      Promise.resolve({
        hits: [
          { thread: thread('Rope'), excerpt: 'a rope' },
          { thread: thread('settings-rope'), excerpt: 'more rope' },
        ],
      }),
    )
    open('/diagnostics', { searchThreads })
    await within(list()).findByRole('link', { name: 'Rope' })
    fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
    const field = await screen.findByRole('combobox', { name: 'Search for' })
    expect(document.activeElement).toBe(field)
    fireEvent.change(field, { target: { value: 'rope' } })
    await screen.findAllByRole('option')
    fireEvent.keyDown(field, { key: 'ArrowDown' })
    expect(screen.getAllByRole('option').map((option) => option.getAttribute('aria-selected'))).toEqual([
      'false',
      'true',
    ])
    fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(window.location.pathname).toBe('/t/settings-rope'))
    expect(screen.queryByRole('combobox')).toBeNull()
  })

  it('shows that the connection is lost and reconnects on request', async () => {
    const server = open('/diagnostics')
    await within(list()).findByRole('link', { name: 'Rope' })
    act(() => server.become('offline'))
    expect(screen.queryByText(/The connection was lost/)).toBeNull()
    expect(await screen.findByText(/The connection was lost/, undefined, { timeout: 3000 })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Try now' }))
    expect(server.reconnects()).toBe(1)
    act(() => server.become('online'))
    expect(screen.queryByText(/The connection was lost/)).toBeNull()
    expect(screen.getByText('Connected again.')).toBeTruthy()
  })

  it('explains a used login link', async () => {
    const server = open('/?login=expired', {
      settings: () => Promise.reject(new ApiError({ code: 'signed_out', message: '' })),
    })
    act(() => server.become('signed-out'))
    expect(await screen.findByText(/^This login link was used already or is too old/)).toBeTruthy()
  })

  it('shows at once how to log in after a sign-out', async () => {
    const server = open('/diagnostics')
    await within(list()).findByRole('link', { name: 'Rope' })
    act(() => server.become('signed-out'))
    expect(screen.getByText('npx capstan login')).toBeTruthy()
  })

  it('shows a visitor without a login how to log in', async () => {
    const signedOut = () => Promise.reject(new ApiError({ code: 'signed_out', message: '' }))
    const server = open('/settings', { settings: signedOut, threads: signedOut })
    act(() => server.become('signed-out'))
    expect(await screen.findByRole('heading', { level: 1, name: 'You are signed out.' })).toBeTruthy()
    expect(screen.queryByText('The settings could not be read')).toBeNull()
  })

  it('shows that the server is being stopped', async () => {
    const server = open('/diagnostics')
    await within(list()).findByRole('link', { name: 'Rope' })
    act(() => server.send('server-stop'))
    act(() => server.become('offline'))
    expect(screen.getByText(/Capstan is being stopped/)).toBeTruthy()
    act(() => server.become('online'))
    expect(screen.queryByText(/Capstan is being stopped/)).toBeNull()
  })

  it('opens a page by a key sequence and moves the focus there', async () => {
    open('/diagnostics')
    await within(list()).findByRole('link', { name: 'Rope' })
    fireEvent.keyDown(document.body, { key: 'g' })
    fireEvent.keyDown(document.body, { key: 's' })
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeTruthy()
    expect(window.location.pathname).toBe('/settings')
    expect(document.activeElement).toBe(screen.getByRole('main'))
  })

  it('lists its shortcuts, and ignores letters typed into a field', async () => {
    open('/settings')
    const field = await screen.findByRole('combobox', { name: 'Model' })
    fireEvent.keyDown(field, { key: '?' })
    expect(screen.queryByRole('dialog')).toBeNull()
    fireEvent.keyDown(document.body, { key: '?', shiftKey: true })
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(within(dialog).getByText('Search conversations')).toBeTruthy()
    fireEvent.keyDown(dialog, { key: 'Escape' })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('hides the sidebar and remembers it', async () => {
    open('/diagnostics')
    fireEvent.click(await screen.findByRole('button', { name: 'Hide conversations' }))
    expect(screen.queryByRole('navigation', { name: 'Conversations' })).toBeNull()
    cleanup()
    open('/diagnostics')
    fireEvent.click(await screen.findByRole('button', { name: 'Show conversations' }))
    expect(screen.getByRole('navigation', { name: 'Conversations' })).toBeTruthy()
  })

  it('leaves the page of a conversation that was deleted elsewhere', async () => {
    const server = open('/t/Rope')
    await within(list()).findByRole('link', { name: 'Rope' })
    act(() => server.send('thread-remove', 'Rope' as ThreadId))
    await waitFor(() => expect(window.location.pathname).toBe('/'))
  })

  it('shows a link to the start on an unknown page', async () => {
    open('/nowhere')
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go to the start' }).getAttribute('href')).toBe('/')
  })
})
