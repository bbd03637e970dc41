// @vitest-environment jsdom
import type { ApiClient } from '@capstan/client'
import { ApiError } from '@capstan/client'
import type { MemoryFact, MemoryHitRow, MemoryItemRow, ThreadId } from '@capstan/protocol'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFakeServer } from '../../socket/fake-server.fixture.ts'
import { ServerProvider } from '../../socket/server-context.tsx'
import { ToastProvider } from '../../ui/overlays/toast.tsx'
import { syncOf } from '../../connections/sync/sync.fixture.ts'
import { MemoryPage } from '../memory-page.tsx'

afterEach(cleanup)

const toItem = (id: string, more: Partial<MemoryItemRow> = {}): MemoryItemRow => ({
  id,
  app: 'notes',
  at: 0,
  title: `Page ${id}`,
  text: `Words of ${id}`,
  people: [],
  seenAt: 0,
  ...more,
})
const toHit = (id: string): MemoryHitRow => ({
  item: toItem(id),
  score: 1,
  isWeak: false,
  title: [{ text: `Page ${id}`, isMatch: false }],
  excerpt: [],
})
const toFact = (id: string, more: Partial<MemoryFact> = {}): MemoryFact => ({
  id,
  text: `Fact ${id}.`,
  status: 'accepted',
  origin: {},
  createdAt: 0,
  changedAt: 0,
  ...more,
})

function open(answers: Partial<ApiClient>, tab: 'items' | 'facts' = 'items') {
  const server = createFakeServer({
    memoryApps: () => Promise.resolve({ apps: [{ app: 'notes', count: 2 }] }),
    memoryItems: () => Promise.resolve({ items: [toItem('a')], hasMore: false }),
    facts: () => Promise.resolve({ facts: [], leftOut: 0 }),
    ...answers,
  })
  render(
    <ServerProvider {...server}>
      <ToastProvider>
        <MemoryPage tab={tab} />
      </ToastProvider>
    </ServerProvider>,
  )
  return server
}

/** A promise and what settles it. */
function later<T>() {
  const { promise, resolve } = Promise.withResolvers<T>()
  return { promise, resolve }
}

describe('the search', () => {
  it('shows the newest answer, also when an older one arrives after it', async () => {
    const asked = new Map<string, ReturnType<typeof later<{ hits: MemoryHitRow[] }>>>()
    open({
      searchMemory(q) {
        const answer = later<{ hits: MemoryHitRow[] }>()
        asked.set(q, answer)
        return answer.promise
      },
    })
    const field = await screen.findByRole('searchbox')
    fireEvent.change(field, { target: { value: 'boil' } })
    await waitFor(() => expect(asked.has('boil')).toBe(true))
    fireEvent.change(field, { target: { value: 'boiler' } })
    await waitFor(() => expect(asked.has('boiler')).toBe(true))
    await act(async () => asked.get('boiler')!.resolve({ hits: [toHit('new')] }))
    await act(async () => asked.get('boil')!.resolve({ hits: [toHit('old'), toHit('older')] }))
    expect(screen.getByRole('heading', { name: '1 item found' })).toBeDefined()
    expect(screen.queryByText('Page old')).toBeNull()
  })

  it('that fails says why and can be repeated', async () => {
    const searchMemory = vi
      .fn<ApiClient['searchMemory']>()
      .mockRejectedValueOnce(new ApiError({ code: 'unreachable', message: 'Away.' }))
      .mockResolvedValue({ hits: [toHit('a')] })
    open({ searchMemory })
    fireEvent.change(await screen.findByRole('searchbox'), { target: { value: 'a' } })
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: '1 item found' })
  })
})

describe('the list', () => {
  it('begins anew when the item at the end of it was forgotten meanwhile', async () => {
    let reads = 0
    open({
      async memoryItems({ after } = {}) {
        if (after !== undefined) throw new ApiError({ code: 'not_found', message: 'Gone.' })
        reads++
        if (reads > 1) return { items: [toItem('b')], hasMore: false }
        return { items: Array.from({ length: 50 }, (_, n) => toItem(`a${n}`)), hasMore: true }
      },
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Show more' }))
    await screen.findByText('Page b')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('reads again after many changes, and never cuts a read short', async () => {
    const reads: ReturnType<typeof later<{ items: MemoryItemRow[]; hasMore: boolean }>>[] = []
    const signals: (AbortSignal | undefined)[] = []
    const server = open({
      memoryItems({ signal } = {}) {
        const answer = later<{ items: MemoryItemRow[]; hasMore: boolean }>()
        reads.push(answer)
        signals.push(signal)
        return answer.promise
      },
    })
    await waitFor(() => expect(reads).toHaveLength(1))
    for (let n = 0; n < 20; n++) act(() => server.send('memory-change'))
    expect(reads).toHaveLength(1)
    expect(signals[0]!.aborted).toBe(false)
    await act(async () => reads[0]!.resolve({ items: [toItem('a')], hasMore: false }))
    await screen.findByText('Page a')
    await waitFor(() => expect(reads).toHaveLength(2))
    await act(async () => reads[1]!.resolve({ items: [toItem('b')], hasMore: false }))
    await screen.findByText('Page b')
  })

  it('keeps an item and says why when it cannot be forgotten', async () => {
    open({
      memoryItem: () => Promise.resolve(toItem('a')),
      forgetItems: () => Promise.reject(new ApiError({ code: 'unavailable', message: 'Not now.' })),
    })
    fireEvent.click(await screen.findByRole('checkbox', { name: /Page a/ }))
    fireEvent.click(screen.getByRole('button', { name: 'Forget' }))
    expect(
      screen.getByText(/^While the sync of the app is on, it leaves out what was forgotten/),
    ).toBeDefined()
    expect(screen.queryByText(/can bring items back/)).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Forget for good' }))
    await screen.findByRole('alert')
    expect(screen.getByRole('button', { name: 'Forget for good' })).toBeDefined()
  })
})

describe('facts', () => {
  it('a proposal names its conversation and app, and warns when others may have caused it', async () => {
    const origin = {
      threadId: 'thread_1' as ThreadId,
      app: 'mail',
      link: 'javascript:alert(1)',
      isUntrusted: true as const,
    }
    open({
      facts: () => Promise.resolve({ facts: [toFact('a', { status: 'proposed', origin })], leftOut: 0 }),
    })
    const link = await screen.findByRole('link', { name: 'See the conversation' })
    expect(link.getAttribute('href')).toBe('/t/thread_1')
    expect(screen.getByText(/^Look twice/)).toBeDefined()
    expect(screen.getByText(/^From .*mail/).closest('a')).toBeNull()
  })

  it('that do not fit into new conversations are counted, and a full memory takes no more', async () => {
    const facts = Array.from({ length: 200 }, (_, n) => toFact(String(n)))
    open({ facts: () => Promise.resolve({ facts, leftOut: 12 }) }, 'facts')
    await screen.findByText(/Left out, the oldest: 12/)
    expect(screen.getByText('There is room for 200 facts. Forget one first.')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Add' })).toHaveProperty('disabled', true)
  })

  it('keeps what was typed when it could not be added', async () => {
    open({ addFact: () => Promise.reject(new ApiError({ code: 'unavailable', message: 'No.' })) }, 'facts')
    const field = await screen.findByRole('textbox', { name: /^Something the assistant/ })
    fireEvent.change(field, { target: { value: 'Likes tea.' } })
    fireEvent.click(screen.getByRole('button', { name: 'Add' }))
    await screen.findByRole('alert')
    expect(field).toHaveProperty('value', 'Likes tea.')
  })

  it('keeps the changed words of a proposal when they could not be saved', async () => {
    open({
      facts: () => Promise.resolve({ facts: [toFact('a', { status: 'proposed' })], leftOut: 0 }),
      changeFact: () => Promise.reject(new ApiError({ code: 'unavailable', message: 'No.' })),
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Edit' }))
    const field = screen.getByRole('textbox', { name: 'Fact' })
    fireEvent.change(field, { target: { value: 'Better words.' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save and accept' }))
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Save and accept' }).getAttribute('aria-busy')).toBeNull(),
    )
    expect(screen.getByRole('textbox', { name: 'Fact' })).toHaveProperty('value', 'Better words.')
  })
})

describe('forgetting all of an app', () => {
  const begin = async (answers: Partial<ApiClient>) => {
    open(answers)
    const apps = await screen.findByRole('group', { name: 'Apps' })
    fireEvent.click(await within(apps).findByRole('button', { name: /notes/ }))
    fireEvent.click(await screen.findByRole('button', { name: /^Forget everything from .*notes/ }))
    return screen.findByRole('dialog')
  }

  it('says that its sync brings everything back, and switches it off', async () => {
    const syncs = [
      syncOf('n', { toolkit: 'notes' }),
      { ...syncOf('off', { toolkit: 'notes' }), isOn: false },
      syncOf('m', { toolkit: 'mail' }),
    ]
    const switchSyncOff = vi.fn(() => Promise.resolve())
    await begin({ syncs: () => Promise.resolve({ syncs }), switchSyncOff })
    expect(await screen.findByText('Its sync is on and brings everything back.')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Switch the sync off' }))
    expect(await screen.findByText('The sync is off.')).toBeTruthy()
    expect(switchSyncOff.mock.calls).toEqual([['n', { forget: false }]])
  })

  it('does not claim to know when the syncs cannot be read', async () => {
    const syncs = () => Promise.reject(new ApiError({ code: 'internal', message: '' }))
    await begin({ syncs })
    expect(await screen.findByText(/While the sync of an app is on/)).toBeTruthy()
  })
})
