// @vitest-environment jsdom
import type { LoginRow, Me, MemberRow, Settings, UserRights } from '@capstan/protocol'
import type { ApiClient } from '@capstan/client'
import { createApiClient } from '@capstan/client'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LoginAgainDialog } from '../../shell/login-again-dialog.tsx'
import { createFakeServer } from '../../socket/fake-server.fixture.ts'
import type { LoginAgain } from '../../socket/login-again.ts'
import { createLoginAgain } from '../../socket/login-again.ts'
import { MeProvider } from '../../socket/me-context.tsx'
import { ServerProvider } from '../../socket/server-context.tsx'
import { ToastProvider } from '../../ui/overlays/toast.tsx'
import { SettingsProvider } from '../settings-context.tsx'
import { SettingsPage } from '../settings-page.tsx'

const SETTINGS: Settings = {
  model: '',
  modelInUse: { name: 'demo', isDemo: true, from: 'demo', reads: { images: true, files: [] } },
  modelKeys: [{ provider: 'openai' }],
  safetyMode: 'supervised',
  roots: ['/data/papers'],
  sharedRoots: [],
  shell: 'off',
  shellHosts: [],
  hosts: [],
  language: '',
  theme: 'system',
  queueMode: 'one-by-one',
  embeddingModel: '',
  reduceMotion: false,
  composio: { isSet: false },
  dataFolder: '/data/capstan',
  version: '0.1.0',
  demoApp: true,
}

const meWith = (isOwner: boolean): Me => {
  const can: UserRights = {
    changeModel: isOwner,
    changeFolders: isOwner,
    useFullMode: isOwner,
    manageServers: isOwner,
    manageMembers: isOwner,
    seeDiagnostics: isOwner,
  }
  return { userId: 'ada', version: '0.1.0', role: isOwner ? 'owner' : 'member', can }
}

const LIMITS = { turnsAtOnce: 4, messagesPerMinute: 20, usdPerDay: 5, threads: 1000, storedMegabytes: 1000 }

function open(isOwner: boolean, answers: Partial<ApiClient> = {}): void {
  const loginAgain = createLoginAgain()
  const { api, socket } = createFakeServer({
    settings: () => Promise.resolve(SETTINGS),
    me: () => Promise.resolve(meWith(isOwner)),
    grants: () => Promise.resolve({ grants: [] }),
    logins: () => Promise.resolve({ logins: [] }),
    members: () => Promise.resolve({ members: [] }),
    ...answers,
  })
  // Requests that the test does not answer itself go through the real client, as in the product.
  render(
    <ServerProvider api={{ ...api, ...throughClient(loginAgain) }} socket={socket} loginAgain={loginAgain}>
      <SettingsProvider>
        <ToastProvider>
          <MeProvider>
            <SettingsPage />
            <LoginAgainDialog />
          </MeProvider>
        </ToastProvider>
      </SettingsProvider>
    </ServerProvider>,
  )
}

let fetched: { readonly path: string; readonly body: string }[] = []
let isFresh = true

/** A server that accepts a new member only after a fresh login. */
function throughClient(loginAgain: LoginAgain) {
  const client = createApiClient({
    onLoginAgain: () => loginAgain.ask(),
    fetch: async (input, init) => {
      const path = typeof input === 'string' ? input : ''
      const body = typeof init?.body === 'string' ? init.body : ''
      fetched.push({ path, body })
      if (path.endsWith('/api/login/again')) {
        if (!body.includes('good-ticket'))
          return Response.json({ error: { code: 'invalid', message: 'ticket' } }, { status: 400 })
        isFresh = true
        return new Response(null, { status: 204 })
      }
      if (!isFresh) return Response.json({ error: { code: 'login_again', message: '' } }, { status: 403 })
      const member: MemberRow = {
        userId: 'grace',
        addedAt: 1,
        logins: 0,
        limits: LIMITS,
        storedBytes: 2_000_000,
      }
      return Response.json({ member, link: 'http://x/login?ticket=t' })
    },
  })
  return {
    addMember: (userId: string) => client.addMember(userId),
    logInAgain: (ticket: string) => client.logInAgain(ticket),
  }
}

afterEach(() => {
  cleanup()
  fetched = []
  isFresh = true
})

const LOGINS: readonly LoginRow[] = [
  { id: 'a', device: 'Firefox on Linux', createdAt: 1, usedAt: 2, isThis: true },
  { id: 'b', device: '', createdAt: 1, usedAt: 2, isThis: false },
]

describe('the list of logins in the settings', () => {
  it('marks this browser and ends another one', async () => {
    const revokeLogin = vi.fn<ApiClient['revokeLogin']>(() => Promise.resolve())
    open(false, { logins: () => Promise.resolve({ logins: LOGINS }), revokeLogin })
    const row = (await screen.findByText('Firefox on Linux')).closest('li')!
    expect(within(row).getByText('This browser')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Log out Unknown device' }))
    await waitFor(() => expect(revokeLogin).toHaveBeenCalledWith('b'))
    expect(screen.getByRole('button', { name: 'Log out all others' })).toBeTruthy()
  })
})

describe('the settings of a member', () => {
  it('offer nothing that only the owner may do', async () => {
    open(false)
    expect(await screen.findByText('The owner of this installation chooses the model.')).toBeTruthy()
    expect(screen.getByText('The owner shares these folders with you.')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /On its own/ }).disabled).toBe(true)
    for (const name of ['People', 'Data folder', 'Add folder', 'Diagnostics'])
      expect(screen.queryByText(name)).toBeNull()
  })
})

describe('an action that needs a fresh login', () => {
  async function add(): Promise<void> {
    isFresh = false
    open(true)
    fireEvent.change(await screen.findByLabelText('Name of the new member'), { target: { value: 'grace' } })
    fireEvent.click(screen.getByRole('button', { name: 'Add member' }))
    await screen.findByRole('dialog', { name: 'Log in again' })
  }

  it('explains how to log in, and goes on after the link was pasted', async () => {
    await add()
    expect(screen.getByText('npx capstan login')).toBeTruthy()
    const field = screen.getByLabelText('Login link')
    fireEvent.change(field, { target: { value: 'http://127.0.0.1:1/login?ticket=old' } })
    fireEvent.click(screen.getByRole('button', { name: 'Log in and go on' }))
    expect(await screen.findByText(/This link does not work any more/)).toBeTruthy()
    fireEvent.change(field, { target: { value: ' http://127.0.0.1:1/login?ticket=good-ticket ' } })
    fireEvent.click(screen.getByRole('button', { name: 'Log in and go on' }))
    expect(await screen.findByText(/Send this link to grace/)).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(fetched.filter(({ path }) => path === '/api/members')).toHaveLength(2)
  })

  it('is not done when the person cancels', async () => {
    await add()
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText(/Log in again first/)).toBeTruthy()
    expect(fetched.filter(({ path }) => path === '/api/members')).toHaveLength(1)
  })
})
