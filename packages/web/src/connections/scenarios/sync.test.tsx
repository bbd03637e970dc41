// @vitest-environment jsdom
import type { ApiClient } from '@capstan/client'
import { ApiError } from '@capstan/client'
import type { Failure, SyncView } from '@capstan/protocol'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFakeServer } from '../../socket/fake-server.fixture.ts'
import { ServerProvider } from '../../socket/server-context.tsx'
import { ToastProvider } from '../../ui/overlays/toast.tsx'
import { ConnectionsPage } from '../connections-page.tsx'
import { syncOf } from '../sync/sync.fixture.ts'
import { account, toolkit } from '../toolkit.fixture.ts'

const ACCOUNT = account('notes', { id: 'a', label: 'ada@example.org' })
const toOff = ({ job: _job, ...sync }: SyncView): SyncView => ({ ...sync, isOn: false })
const OFF = toOff(syncOf('a'))
const ESTIMATE = { items: 1200, requests: 1260, tokens: 90_000, days: 3, isAtLeast: true }

/** The page, with one account whose sync can change. */
async function open(first: SyncView, answers: Partial<ApiClient> = {}) {
  const now = { sync: first }
  const server = createFakeServer({
    toolkits: () =>
      Promise.resolve({ authoritative: true, toolkits: [toolkit('notes', { connections: [ACCOUNT] })] }),
    mcpServers: () => Promise.resolve({ servers: [] }),
    syncs: () => Promise.resolve({ syncs: [now.sync] }),
    estimateSync: () => Promise.resolve(ESTIMATE),
    memoryApps: () => Promise.resolve({ apps: [{ app: 'notes', account: 'ada@example.org', count: 120 }] }),
    ...answers,
  })
  render(
    <ServerProvider api={server.api} socket={server.socket}>
      <ToastProvider>
        <ConnectionsPage />
      </ToastProvider>
    </ServerProvider>,
  )
  const part = await screen.findByRole('group', { name: 'Sync of ada@example.org' })
  return {
    part,
    become: (sync: SyncView): void => {
      now.sync = sync
      act(() => server.send('jobs-change'))
    },
  }
}

const press = (element: HTMLElement): boolean => fireEvent.click(element)
const toggle = (part: HTMLElement): boolean =>
  press(within(part).getByRole('switch', { name: 'Sync into memory' }))

async function choose(part: HTMLElement, item: string): Promise<void> {
  fireEvent.keyDown(within(part).getByRole('button', { name: 'Sync of ada@example.org' }), { key: 'Enter' })
  press(await screen.findByRole('menuitem', { name: item }))
}

afterEach(cleanup)

describe('switching a sync on', () => {
  it('names the model that makes vectors of what is read', async () => {
    const estimateSync = () => Promise.resolve({ ...ESTIMATE, embedder: 'openai/text-embedding-3-small' })
    const { part } = await open(OFF, { estimateSync })
    toggle(part)
    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByText(/openai\/text-embedding-3-small makes vectors/)).toBeTruthy()
    expect(within(dialog).queryByText(/costs no money/)).toBeNull()
  })

  it('shows first what it needs, counts the days under the limits, and sends both', async () => {
    const on = syncOf('a', {}, { status: 'running' })
    const switchSyncOn = vi.fn(() => Promise.resolve(on))
    const { part } = await open(OFF, { switchSyncOn })
    toggle(part)
    const dialog = await screen.findByRole('dialog', { name: 'Sync ada@example.org into memory?' })
    expect(switchSyncOn).not.toHaveBeenCalled()
    expect(await within(dialog).findByText('at least 1,200')).toBeTruthy()
    expect(within(dialog).getByText('at least 90,000')).toBeTruthy()
    expect(within(dialog).getByText('at least 3')).toBeTruthy()
    expect(within(dialog).getByText('No AI model reads it, so it costs no money.')).toBeTruthy()
    press(within(dialog).getByRole('button', { name: 'Limits' }))
    const requests = within(dialog).getByLabelText('Requests per day')
    fireEvent.change(requests, { target: { value: 'many' } })
    const confirm = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Switch on' })
    expect(confirm.disabled).toBe(true)
    expect(within(dialog).getByText('A whole number from 1 to 100,000.')).toBeTruthy()
    fireEvent.change(requests, { target: { value: '1000' } })
    expect(within(dialog).getByText('at least 2')).toBeTruthy()
    press(confirm)
    await waitFor(() =>
      expect(switchSyncOn).toHaveBeenCalledWith('a', {
        days: 365,
        items: 10_000,
        requestsPerDay: 1000,
        tokensPerDay: 5_000_000,
        intervalMinutes: 30,
      }),
    )
    expect(await within(part).findByText('Syncing: 0 so far')).toBeTruthy()
  })

  it('is still possible when the app does not say how much it holds', async () => {
    const estimateSync = () => Promise.reject(new ApiError({ code: 'unavailable', message: '' }))
    const switchSyncOn = vi.fn(() => Promise.resolve(syncOf('a')))
    const { part } = await open(OFF, { estimateSync, switchSyncOn })
    toggle(part)
    expect(await screen.findByText('It is not known how much there is.')).toBeTruthy()
    press(screen.getByRole('button', { name: 'Switch on' }))
    await waitFor(() => expect(switchSyncOn).toHaveBeenCalledTimes(1))
  })

  it('is not possible when the app offers nothing after all', async () => {
    const estimateSync = () => Promise.reject(new ApiError({ code: 'conflict', message: '' }))
    const { part } = await open(OFF, { estimateSync })
    toggle(part)
    await screen.findByRole('alert')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Switch on' }).disabled).toBe(true)
  })
})

describe('a sync that is on', () => {
  const counts = { pages: 1, added: 20, changed: 0, unchanged: 0, removed: 0, tooOld: 0, failed: 0 }

  it('shows its progress as it changes, and one line when all is well', async () => {
    const running = syncOf('a', { progress: { ...counts, expected: 80 } }, { status: 'running' })
    const { part, become } = await open(running)
    expect(within(part).getByText('Syncing: 20 of 80')).toBeTruthy()
    expect(within(part).queryByRole('link')).toBeNull()
    const bar = within(part).getByRole<HTMLProgressElement>('progressbar')
    expect([bar.value, bar.max]).toEqual([20, 80])
    const now = Date.now()
    become(syncOf('a', { progress: counts, lastDoneAt: now - 300_500 }, { nextAt: now + 1_501_000 }))
    expect(await within(part).findByText('Synced 5 minutes ago. Next in 25 minutes.')).toBeTruthy()
    expect(within(part).queryByRole('progressbar')).toBeNull()
    expect(within(part).getByRole('link', { name: 'See it in Memory' }).getAttribute('href')).toBe('/memory')
  })

  it('is paused, resumed and run from its menu', async () => {
    const changeJob = vi.fn(() => Promise.resolve(syncOf('a').job!))
    const { part, become } = await open(syncOf('a', { lastDoneAt: 1 }), { changeJob })
    await choose(part, 'Sync now')
    await waitFor(() => expect(changeJob).toHaveBeenLastCalledWith('sync_a', 'run-now'))
    await choose(part, 'Pause')
    await waitFor(() => expect(changeJob).toHaveBeenLastCalledWith('sync_a', 'pause'))
    become(syncOf('a', {}, { status: 'paused' }))
    press(await within(part).findByRole('button', { name: 'Resume' }))
    await waitFor(() => expect(changeJob).toHaveBeenLastCalledWith('sync_a', 'resume'))
  })

  it('says why it stands still, and offers what helps', async () => {
    const setScopes = vi.fn(() => Promise.resolve({ read: true, write: true, admin: false }))
    const changeJob = vi.fn(() => Promise.resolve(syncOf('a').job!))
    const because = (failure: Partial<Failure>): SyncView =>
      syncOf('a', {}, { nextAt: Date.now() + 3_601_000, lastFailure: failure as Failure })
    const { part, become } = await open(because({ class: 'service_unavailable' }), { setScopes, changeJob })
    expect(within(part).getByText(/cannot be reached.* It is tried again in 1 hour\./)).toBeTruthy()
    press(within(part).getByRole('button', { name: 'Sync now' }))
    await waitFor(() => expect(changeJob).toHaveBeenLastCalledWith('sync_a', 'run-now'))
    become(because({ class: 'not_connected' }))
    expect(await within(part).findByText(/until you sign in again/)).toBeTruthy()
    become(because({ class: 'blocked_by_policy' }))
    press(await within(part).findByRole('button', { name: 'Allow reading' }))
    await waitFor(() => expect(setScopes).toHaveBeenCalledTimes(1))
    await waitFor(() => expect(changeJob).toHaveBeenCalledTimes(2))
  })

  it('names the items that could not be read', async () => {
    const { part } = await open(
      syncOf('a', {
        lastDoneAt: 1,
        problems: [
          { at: 2, message: 'the page failed' },
          { at: 1, item: 'p_1', message: 'too large' },
        ],
      }),
    )
    press(within(part).getByRole('button', { name: 'Items that could not be read: 1' }))
    expect(within(part).getByText('too large')).toBeTruthy()
    expect(within(part).queryByText('the page failed')).toBeNull()
  })
})

describe('what was synced', () => {
  it.each([
    ['kept', false],
    ['forgotten', true],
  ])('is %s when the sync is switched off', async (_what, forget) => {
    const switchSyncOff = vi.fn(() => Promise.resolve())
    const { part } = await open(syncOf('a', { lastDoneAt: 1 }), { switchSyncOff })
    toggle(part)
    const dialog = await screen.findByRole('dialog', { name: 'Switch off the sync of ada@example.org?' })
    const choice = await within(dialog).findByRole('checkbox', { name: /forget what was synced \(120\)/ })
    if (forget) press(choice)
    press(within(dialog).getByRole('button', { name: 'Switch off' }))
    await waitFor(() => expect(switchSyncOff).toHaveBeenCalledWith('a', { forget }))
  })

  it('is forgotten at a disconnect only if the person says so', async () => {
    const disconnect = vi.fn(() => Promise.resolve())
    await open(syncOf('a', { lastDoneAt: 1 }), { disconnect })
    fireEvent.keyDown(screen.getByRole('button', { name: 'Actions for ada@example.org' }), { key: 'Enter' })
    press(await screen.findByRole('menuitem', { name: 'Disconnect' }))
    const dialog = await screen.findByRole('dialog', { name: 'Disconnect ada@example.org?' })
    press(await within(dialog).findByRole('checkbox', { name: /\(120\)/ }))
    press(within(dialog).getByRole('button', { name: 'Disconnect' }))
    await waitFor(() => expect(disconnect).toHaveBeenCalledWith('a', { forget: true }))
  })
})
