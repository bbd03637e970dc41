// @vitest-environment jsdom
import type { ApiClient } from '@capstan/client'
import { ApiError } from '@capstan/client'
import type { ActionRow, McpServerRow, Me, ProposedMapping, SyncMapping, SyncView } from '@capstan/protocol'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFakeServer } from '../../socket/fake-server.fixture.ts'
import { MeProvider } from '../../socket/me-context.tsx'
import { ServerProvider } from '../../socket/server-context.tsx'
import { ToastProvider } from '../../ui/overlays/toast.tsx'
import { ConnectionsPage } from '../connections-page.tsx'
import { syncOf } from '../sync/sync.fixture.ts'
import { account, toolkit } from '../toolkit.fixture.ts'

const MAPPING: SyncMapping = {
  list: { action: 'list_pages', cursor: 'cursor', items: 'pages', next: 'nextCursor' },
  read: { action: 'read_page', id: 'pageId' },
  fields: { id: 'id', title: 'title', text: 'text' },
}
const PROPOSAL: ProposedMapping = { mapping: MAPPING, unsure: ['list.next'] }
const SERVER: McpServerRow = {
  slug: 'library',
  name: 'Library',
  transport: { type: 'http', url: 'https://library.example.org' },
  shared: false,
}
const action = (name: string, effect: ActionRow['effect']): ActionRow => ({
  name,
  description: '',
  effect,
  because: 'name',
  digest: name,
})
const ACTIONS = [action('list_pages', 'read'), action('read_page', 'read'), action('delete_page', 'admin')]
const toOff = ({ job: _job, ...sync }: SyncView): SyncView => ({ ...sync, isOn: false })
const OFF = toOff(syncOf('a', { toolkit: 'library' }))

const OWNER: Me = {
  userId: 'local',
  version: '1',
  role: 'owner',
  can: {
    changeModel: true,
    changeFolders: true,
    useFullMode: true,
    manageServers: true,
    manageMembers: true,
    seeDiagnostics: true,
  },
}
const MEMBER: Me = { ...OWNER, userId: 'eve', role: 'member', can: { ...OWNER.can, manageServers: false } }

/** The page with one connected account of an added server. */
async function open({
  answers = {},
  sync,
  isOwner = true,
}: {
  readonly answers?: Partial<ApiClient>
  readonly sync?: SyncMapping
  readonly isOwner?: boolean
} = {}) {
  const now = { server: sync ? { ...SERVER, sync } : SERVER }
  const changeMcpServer = vi.fn<ApiClient['changeMcpServer']>((_slug, patch) => {
    const { sync: _before, ...rest } = now.server
    now.server = patch.sync ? { ...rest, sync: patch.sync } : rest
    return Promise.resolve(now.server)
  })
  const server = createFakeServer({
    toolkits: () =>
      Promise.resolve({
        authoritative: true,
        toolkits: [
          toolkit('library', {
            connections: [account('library', { id: 'a', label: 'ada' })],
            isOwn: isOwner,
          }),
        ],
      }),
    mcpServers: () => Promise.resolve({ servers: [now.server] }),
    syncs: () => Promise.resolve({ syncs: now.server.sync ? [OFF] : [] }),
    sync: () => Promise.resolve(OFF),
    actions: () => Promise.resolve({ actions: ACTIONS }),
    proposeMappings: () => Promise.resolve({ proposals: [PROPOSAL] }),
    estimateSync: () =>
      Promise.resolve({ items: 7, requests: 8, tokens: 900, days: 1, isAtLeast: false, usd: 0 }),
    changeMcpServer,
    me: () => Promise.resolve(isOwner ? OWNER : MEMBER),
    ...answers,
  })
  render(
    <ServerProvider api={server.api} socket={server.socket}>
      <MeProvider>
        <ToastProvider>
          <ConnectionsPage />
        </ToastProvider>
      </MeProvider>
    </ServerProvider>,
  )
  await screen.findByText('ada')
  return { changeMcpServer }
}

const press = (element: HTMLElement): boolean => fireEvent.click(element)
const type = (label: string, value: string): boolean =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

async function openDialog(button = 'Set up sync…'): Promise<HTMLElement> {
  press(await screen.findByRole('button', { name: button }))
  const dialog = await screen.findByRole('dialog', { name: 'Sync of Library: what is read' })
  await within(dialog).findByLabelText('Place of the items')
  return dialog
}

const save = (): boolean => press(screen.getByRole('button', { name: 'Save and continue' }))

afterEach(cleanup)

describe('a server that offers nothing to sync by itself', () => {
  it('gets a proposal in words, which is saved and goes on to what it needs', async () => {
    const { changeMcpServer } = await open()
    const dialog = await openDialog()
    const proposal = within(dialog).getByRole<HTMLInputElement>('radio', {
      name: /list_pages lists the items, read_page reads each text/,
    })
    expect(proposal.checked).toBe(true)
    expect(proposal.closest('label')?.textContent).toContain('Guessed fields: 1')
    const next = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Place of the next page' })
    expect(next.getAttribute('aria-describedby')).toMatch(/hint/)
    expect(changeMcpServer).not.toHaveBeenCalled()
    save()
    expect(await screen.findByRole('dialog', { name: 'Sync ada into memory?' })).toBeTruthy()
    expect(await screen.findByText('900')).toBeTruthy()
    expect(changeMcpServer).toHaveBeenCalledWith('library', { sync: MAPPING })
  })

  it('is filled in by hand, with the actions that read alone, and problems at their fields', async () => {
    const answers = { proposeMappings: () => Promise.resolve({ proposals: [] }) }
    const { changeMcpServer } = await open({ answers })
    const dialog = await openDialog()
    expect(within(dialog).getByText(/No actions that clearly list/)).toBeTruthy()
    const [list] = within(dialog).getAllByRole<HTMLSelectElement>('combobox', { name: 'Action' })
    expect([...list!.options].map(({ value }) => value)).toEqual(['', 'list_pages', 'read_page'])
    save()
    await waitFor(() => expect(document.activeElement).toBe(list))
    expect(within(dialog).getAllByText('This is needed.')).toHaveLength(3)
    fireEvent.change(list!, { target: { value: 'list_pages' } })
    type('Place of the items', 'pages')
    type('Id', 'id')
    type('Text', 'body')
    save()
    await screen.findByRole('dialog', { name: 'Sync ada into memory?' })
    expect(changeMcpServer).toHaveBeenCalledWith('library', {
      sync: { list: { action: 'list_pages', items: 'pages' }, fields: { id: 'id', text: 'body' } },
    })
  })

  it('keeps what was typed when the server refuses, and says why at the field', async () => {
    const refused = new ApiError({
      code: 'invalid',
      field: 'sync.list.items',
      message: 'sync.list.items: must be a path',
    })
    await open({ answers: { changeMcpServer: () => Promise.reject(refused) } })
    await openDialog()
    type('Place of the items', 'a..b')
    save()
    expect(await screen.findByText('Must be a path.')).toBeTruthy()
    const items = screen.getByLabelText<HTMLInputElement>('Place of the items')
    expect([items.value, items.getAttribute('aria-invalid')]).toEqual(['a..b', 'true'])
  })

  it('says why nothing can be proposed', async () => {
    const conflict = new ApiError({ code: 'conflict', message: '' })
    await open({ answers: { proposeMappings: () => Promise.reject(conflict) } })
    const dialog = await openDialog()
    expect(within(dialog).getByText(/reading allowed/)).toBeTruthy()
  })

  it('shows it to nobody but the owner', async () => {
    const mcpServers = vi.fn(() => Promise.resolve({ servers: [SERVER] }))
    await open({ isOwner: false, answers: { mcpServers } })
    expect(mcpServers).not.toHaveBeenCalled()
    expect(screen.queryByRole('button', { name: 'Set up sync…' })).toBeNull()
  })
})

describe('a mapping that is set', () => {
  it('is shown first, and removed only after a question, with the syncs of the person', async () => {
    const switchSyncOff = vi.fn(() => Promise.resolve())
    const { changeMcpServer } = await open({
      sync: MAPPING,
      answers: {
        switchSyncOff,
        syncs: () => Promise.resolve({ syncs: [syncOf('a', { toolkit: 'library' })] }),
      },
    })
    const dialog = await openDialog('Change what is synced…')
    expect(within(dialog).getByRole<HTMLInputElement>('radio', { name: /^As it is now/ }).checked).toBe(true)
    press(within(dialog).getByRole('button', { name: 'Remove…' }))
    expect(changeMcpServer).not.toHaveBeenCalled()
    press(await screen.findByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(switchSyncOff).toHaveBeenCalledWith('a', { forget: false }))
    expect(changeMcpServer).toHaveBeenCalledWith('library', { sync: null })
  })
})
