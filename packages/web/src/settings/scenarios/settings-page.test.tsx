// @vitest-environment jsdom
import type {
  GrantView,
  Settings,
  SettingsPatch,
  Spending,
  SpendingLimits,
  ThreadId,
} from '@capstan/protocol'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ApiClient } from '@capstan/client'
import { ApiError } from '@capstan/client'
import { createFakeServer } from '../../socket/fake-server.fixture.ts'
import type { FakeServer } from '../../socket/fake-server.fixture.ts'
import { ServerProvider } from '../../socket/server-context.tsx'
import { ToastProvider } from '../../ui/overlays/toast.tsx'
import { SettingsProvider } from '../settings-context.tsx'
import { SettingsPage } from '../settings-page.tsx'

const SPENDING: Spending = {
  limits: { usdPerDay: 5 },
  used: { day: { usd: 4.5, tokens: 1200 }, month: { usd: 20, tokens: 5000 } },
  mayChange: true,
}

const GRANT: GrantView = {
  id: 'grant_1',
  tool: 'send_mail',
  binding: {
    app: { toolkit: 'mail', name: 'Mail' },
    connectionId: 'connection_1',
    definitionDigest: 'digest',
    effect: 'write',
  },
  lifetime: 'hour',
  constraints: { to: ['*@example.com'] },
  threadId: 'thread_1' as ThreadId,
  threadTitle: 'The trip',
  createdAt: Date.UTC(2026, 10, 16, 13, 5),
  expiresAt: Date.UTC(2026, 10, 16, 14, 5),
}

/** A server that stores the settings and records every change. */
function open(answers: Partial<ApiClient> = {}): {
  readonly server: FakeServer
  readonly patches: SettingsPatch[]
} {
  let settings: Settings = {
    model: '',
    modelInUse: { name: 'demo', isDemo: true, from: 'demo', reads: { images: true, files: [] } },
    modelKeys: [{ provider: 'openai', from: 'settings' }, { provider: 'google' }],
    safetyMode: 'supervised',
    roots: ['/data/papers'],
    sharedRoots: [],
    shell: 'off',
    shellHosts: [],
    hosts: ['docs.example'],
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
  const patches: SettingsPatch[] = []
  const server = createFakeServer({
    settings: () => Promise.resolve(settings),
    changeSettings: (patch) => {
      patches.push(patch)
      settings = { ...settings, ...patch, modelKeys: settings.modelKeys }
      return Promise.resolve(settings)
    },
    secrets: () => Promise.resolve({ secrets: [] }),
    spending: () => Promise.resolve(SPENDING),
    logins: () => Promise.resolve({ logins: [] }),
    members: () => Promise.resolve({ members: [] }),
    grants: () => Promise.resolve({ grants: [GRANT] }),
    ...answers,
  })
  render(
    <ServerProvider api={server.api} socket={server.socket}>
      <SettingsProvider>
        <ToastProvider>
          <SettingsPage />
        </ToastProvider>
      </SettingsProvider>
    </ServerProvider>,
  )
  return { server, patches }
}

describe('the settings page', () => {
  it('shows what was spent, and sets limits; an empty field is none', async () => {
    const set: SpendingLimits[] = []
    open({
      changeSpending: (limits) => {
        set.push(limits)
        return Promise.resolve({ ...SPENDING, limits })
      },
    })
    await screen.findByText(/Today: \$4\.50 and 1,200 tokens/)
    fireEvent.change(screen.getByLabelText('US dollars per day'), { target: { value: '' } })
    fireEvent.change(screen.getByLabelText('Tokens per month'), { target: { value: '100000' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save limits' }))
    await waitFor(() => expect(set).toEqual([{ tokensPerMonth: 100_000 }]))
  })

  it('shows a member the limits that the owner set, and no way to change them', async () => {
    open({ spending: () => Promise.resolve({ ...SPENDING, mayChange: false }) })
    await screen.findByText('The owner of this installation sets these limits.')
    expect(screen.queryByRole('button', { name: 'Save limits' })).toBeNull()
  })

  beforeEach(() => localStorage.clear())
  afterEach(cleanup)

  it('applies a theme at once and stores it for the next first paint', async () => {
    const { patches } = open()
    fireEvent.change(await screen.findByLabelText('Theme'), { target: { value: 'dark' } })
    await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'))
    expect(localStorage.getItem('capstan.theme')).toBe('dark')
    fireEvent.change(screen.getByLabelText('Theme'), { target: { value: 'system' } })
    await waitFor(() => expect(document.documentElement.dataset['theme']).toBeUndefined())
    expect(patches).toEqual([{ theme: 'dark' }, { theme: 'system' }])
  })

  it('switches commands on, says when they cannot run, and stores their hosts', async () => {
    const { patches } = open({
      sandbox: () =>
        Promise.resolve({ state: 'unavailable', found: 'bwrap is missing.', next: 'Install it.' }),
    })
    fireEvent.click(await screen.findByLabelText(/^Ask before each/))
    expect(await screen.findByText(/bwrap is missing\. Install it\./)).toBeTruthy()
    fireEvent.change(screen.getByLabelText('Hosts that commands may reach'), {
      target: { value: 'example.com\n' },
    })
    fireEvent.click(screen.getByRole('button', { name: 'Save hosts' }))
    await waitFor(() => expect(patches).toEqual([{ shell: 'ask' }, { shellHosts: ['example.com'] }]))
  })

  it('turns motion off', async () => {
    open()
    fireEvent.click(await screen.findByRole('switch', { name: 'Less motion' }))
    await waitFor(() => expect(document.documentElement.dataset['motion']).toBe('less'))
  })

  it('asks for confirmation before the widest safety mode', async () => {
    const { patches } = open()
    fireEvent.click(await screen.findByRole('radio', { name: /On its own/ }))
    const dialog = screen.getByRole('dialog', { name: 'Let it work on its own?' })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(patches).toEqual([])
    fireEvent.click(screen.getByRole('radio', { name: /On its own/ }))
    fireEvent.click(screen.getByRole('button', { name: 'Yes, on its own' }))
    await waitFor(() => expect(patches).toEqual([{ safetyMode: 'full' }]))
  })

  it('adds and removes folders and shows why one was refused', async () => {
    const { patches } = open()
    const field = await screen.findByLabelText('Folder')
    fireEvent.change(field, { target: { value: ' /data/notes ' } })
    fireEvent.click(screen.getByRole('button', { name: 'Add folder' }))
    await screen.findByText('/data/notes')
    fireEvent.click(screen.getByRole('button', { name: 'Remove /data/papers' }))
    await waitFor(() => expect(screen.queryByText('/data/papers')).toBeNull())
    expect(patches).toEqual([{ roots: ['/data/papers', '/data/notes'] }, { roots: ['/data/notes'] }])
    cleanup()

    const refusal = new ApiError({
      code: 'invalid',
      message: 'roots.1: "/nowhere" is not a folder that can be read',
      field: 'roots.1',
      problem: { kind: 'not-a-folder', value: '/nowhere' },
    })
    open({ changeSettings: () => Promise.reject(refusal) })
    fireEvent.change(await screen.findByLabelText('Folder'), { target: { value: '/nowhere' } })
    fireEvent.click(screen.getByRole('button', { name: 'Add folder' }))
    expect((await screen.findByRole('alert')).textContent).toBe(
      '“/nowhere” is not a folder that can be read.',
    )
    expect(screen.getByLabelText('Folder')).toHaveProperty('value', '/nowhere')
  })

  it.each([
    ['Name', { kind: 'bad-name', most: 64 }, 'name', 'Use letters, digits'],
    ['Secret', { kind: 'length', least: 8, most: 8000 }, 'value', 'Enter 8 to 8,000 characters.'],
    ['Hosts', { kind: 'not-a-host', value: 'a b' }, 'hosts.1', '“a b” is not a host.'],
  ] as const)('names the field of a secret that is wrong: %s', async (label, problem, field, text) => {
    const refusal = new ApiError({ code: 'invalid', message: `${field}: no`, field, problem })
    open({ putSecret: () => Promise.reject(refusal) })
    for (const name of ['Name', 'Secret', 'Hosts'])
      fireEvent.change(await screen.findByLabelText(name), { target: { value: 'something' } })
    fireEvent.click(screen.getByRole('button', { name: 'Store secret' }))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain(text)
    expect(screen.getByLabelText(label).getAttribute('aria-describedby')).toContain(alert.id)
    expect(screen.getByLabelText(label)).toHaveProperty('ariaInvalid', 'true')
  })

  it('shows why a model did not answer and what to do next', async () => {
    const testModel = vi.fn<ApiClient['testModel']>(({ model = 'demo' } = {}) =>
      Promise.resolve({
        ok: false,
        model,
        durationMs: 5,
        failure: {
          class: 'bad_credentials',
          category: 'needs_user',
          cause: '',
          next: '',
          recoverable: false,
        },
      }),
    )
    open({ testModel })
    fireEvent.change(await screen.findByLabelText('Model'), { target: { value: 'openai/gpt-6-sol' } })
    fireEvent.click(screen.getByRole('button', { name: 'Test' }))
    expect(await screen.findByText('openai/gpt-6-sol did not answer.')).toBeTruthy()
    expect(screen.getByText('What to do next')).toBeTruthy()
    expect(testModel.mock.calls[0]?.[0]).toEqual({ model: 'openai/gpt-6-sol' })
  })

  it('sets the embedding model for memory, and says which one is in use', async () => {
    const changeSettings = vi.fn<ApiClient['changeSettings']>(() => Promise.reject(new Error('refused')))
    open({ changeSettings })
    const field = await screen.findByLabelText('Embedding model for memory')
    const use = screen.getByRole('button', { name: 'Use for memory' })
    expect(use).toHaveProperty('disabled', true)
    fireEvent.change(field, { target: { value: ' ollama/bge-m3 ' } })
    fireEvent.click(use)
    await waitFor(() => expect(changeSettings).toHaveBeenCalledTimes(1))
    expect(changeSettings.mock.calls[0]?.[0]).toEqual({ embeddingModel: 'ollama/bge-m3' })
  })

  it('does not promise an automatic retry of a model', async () => {
    const failure = { cause: '', next: '', recoverable: true, category: 'transient' } as const
    open({
      testModel: () =>
        Promise.resolve({
          ok: false,
          model: 'demo',
          durationMs: 5,
          failure: { ...failure, class: 'service_unavailable' },
        }),
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Test' }))
    expect(await screen.findByText('Try again later.')).toBeTruthy()
  })

  it('sends a key and keeps none of it on the page', async () => {
    const { patches } = open()
    fireEvent.click(await screen.findByRole('button', { name: 'Add key' }))
    const field = screen.getByLabelText('Key for Google')
    fireEvent.change(field, { target: { value: 'a-secret' } })
    fireEvent.submit(field)
    await waitFor(() => expect(screen.queryByLabelText('Key for Google')).toBeNull())
    expect(patches).toEqual([{ modelKeys: { google: 'a-secret' } }])
    expect(document.body.innerHTML).not.toContain('a-secret')
  })

  it('removes a key with an empty one', async () => {
    const { patches } = open()
    fireEvent.click(await screen.findByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(patches).toEqual([{ modelKeys: { openai: '' } }]))
  })

  it('explains a grant and revokes it', async () => {
    const revokeGrant = vi.fn<ApiClient['revokeGrant']>(() => Promise.resolve())
    open({ revokeGrant })
    const revoke = await screen.findByRole('button', { name: 'Ask again for send_mail' })
    const row = revoke.closest('li')!
    expect(row.textContent).toContain('Mail · Send mail')
    expect(row.textContent).toMatch(/Only to .\*@example\.com/)
    expect(row.textContent).toMatch(/Until .*2026/)
    expect(row.textContent).toMatch(/Given .*2026.* in “The trip”/)
    fireEvent.click(revoke)
    expect(await screen.findByText(/Nothing runs without asking/)).toBeTruthy()
    expect(revokeGrant.mock.calls[0]?.[0]).toBe('grant_1')
  })

  it('deletes everything only after the confirmation word was typed', async () => {
    const reset = vi.fn<ApiClient['reset']>(() => Promise.resolve())
    open({ reset })
    fireEvent.click(await screen.findByRole('button', { name: 'Reset…' }))
    const confirm = screen.getByRole('button', { name: 'Delete everything' })
    expect(confirm).toHaveProperty('disabled', true)
    const field = screen.getByLabelText('Type “reset” to confirm')
    fireEvent.submit(field)
    expect(reset).not.toHaveBeenCalled()
    fireEvent.change(field, { target: { value: 'reset' } })
    fireEvent.submit(field)
    expect(await screen.findByText('Everything was deleted.')).toBeTruthy()
    expect(reset).toHaveBeenCalledTimes(1)
  })

  it('applies settings that were changed elsewhere', async () => {
    const { server } = open()
    await screen.findByText('/data/papers')
    await server.api.changeSettings({ roots: ['/elsewhere'] })
    act(() => server.send('settings-change'))
    expect(await screen.findByText('/elsewhere')).toBeTruthy()
  })

  it('shows that the settings could not be loaded', async () => {
    open({ settings: () => Promise.reject(new ApiError({ code: 'internal', message: '' })) })
    expect(await screen.findByText('The settings could not be read')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })
})
