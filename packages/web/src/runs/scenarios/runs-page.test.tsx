// @vitest-environment jsdom
import type { RunPage, Stats } from '@capstan/protocol'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ApiClient } from '@capstan/client'
import { ApiError } from '@capstan/client'
import type { FakeServer } from '../../socket/fake-server.fixture.ts'
import { createFakeServer } from '../../socket/fake-server.fixture.ts'
import { ServerProvider } from '../../socket/server-context.tsx'
import { below, callRow, detail, failureOf, runRow, usage } from '../run.fixture.ts'
import { RunsPage } from '../runs-page.tsx'

const STATS: Stats = {
  days: [
    {
      day: new Date().toISOString().slice(0, 10),
      turns: 4,
      failed: 1,
      inputTokens: 1000,
      cachedInputTokens: 750,
      outputTokens: 200,
      usd: 0.5,
    },
  ],
  models: [
    { model: 'demo', calls: 50, usage: usage({ inputTokens: 1000, outputTokens: 200, chargedUsd: 0.5 }) },
  ],
  failures: [
    { class: 'timeout', count: 2 },
    { class: 'not_connected', count: 5 },
  ],
  prefix: { calls: 50, breaks: 1 },
}

function open(answers: Partial<ApiClient>, runId?: string): FakeServer {
  const server = createFakeServer({
    stats: () => Promise.resolve(STATS),
    runs: () => Promise.resolve({ runs: [] }),
    ...answers,
  })
  render(
    <ServerProvider api={server.api} socket={server.socket}>
      <RunsPage runId={runId} />
    </ServerProvider>,
  )
  return server
}

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('the overview of the runs page', () => {
  it('explains the prompt cache and lists failures, most frequent first', async () => {
    open({})
    expect(await screen.findByText(/98% of model calls kept the whole prompt/)).toBeTruthy()
    const table = screen.getByRole('table', { name: 'Failures by reason' })
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent)
    expect(rows).toEqual(['Not connected5', 'Took too long2'])
  })

  it('shows the numbers of its charts as tables', async () => {
    open({})
    const [first] = await screen.findAllByRole('button', { name: 'Show the numbers' })
    if (first) fireEvent.click(first)
    const table = screen.getByRole('table', { name: 'Tokens per day' })
    expect(within(table).getByRole('row', { name: /750 250 200/ })).toBeTruthy()
  })
})

describe('the list of turns', () => {
  const page = (...names: string[]): RunPage => ({ runs: names.map((name) => runRow(name, { text: name })) })

  it('shows the message, the status and the cost of each turn', async () => {
    const outcome = {
      type: 'done',
      text: 'Saved.',
      iterations: 2,
      usage: usage({ inputTokens: 12_000, outputTokens: 345, estimatedUsd: 0.25 }),
    } as const
    open({ runs: () => Promise.resolve({ runs: [runRow('run_1', { outcome })] }) })
    const row = await screen.findByRole('row', { name: /Save this to Notes/ })
    expect(within(row).getAllByText('Answered')[0]).toBeTruthy()
    expect(within(row).getByText('10 sec')).toBeTruthy()
    expect(within(row).getByText('12.3K')).toBeTruthy()
    expect(within(row).getAllByText('about $0.25')[0]).toBeTruthy()
    expect(within(row).getByRole('link').getAttribute('href')).toBe('/runs/run_1')
  })

  it('loads the next page where the page before ended', async () => {
    const runs = vi.fn<ApiClient['runs']>((query) =>
      Promise.resolve(query?.cursor === undefined ? { ...page('new'), nextCursor: 'c17' } : page('old')),
    )
    open({ runs })
    fireEvent.click(await screen.findByRole('button', { name: 'Show older turns' }))
    expect(await screen.findByRole('link', { name: 'old' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'new' })).toBeTruthy()
    expect(runs.mock.lastCall?.[0]).toMatchObject({ cursor: 'c17' })
    expect(screen.queryByRole('button', { name: 'Show older turns' })).toBeNull()
  })

  it('is filtered by status on the server', async () => {
    const runs = vi.fn<ApiClient['runs']>((query) =>
      Promise.resolve(query?.status ? { runs: [] } : page('a')),
    )
    open({ runs })
    fireEvent.change(await screen.findByLabelText('Status'), { target: { value: 'failed' } })
    expect(await screen.findByText('No turns with this status')).toBeTruthy()
    expect(runs.mock.lastCall?.[0]).toMatchObject({ status: 'failed' })
    fireEvent.click(screen.getByRole('button', { name: 'Show all turns' }))
    expect(await screen.findByRole('link', { name: 'a' })).toBeTruthy()
  })

  it('is loaded again after updates, once for several updates within a moment', async () => {
    const runs = vi.fn<ApiClient['runs']>(() => Promise.resolve(page('a')))
    const server = open({ runs })
    await screen.findByRole('link', { name: 'a' })
    vi.useFakeTimers()
    const thread = { id: runRow('a').threadId, userId: 'user', title: '', createdAt: 0, updatedAt: 0 }
    server.send('threads-change', [thread])
    server.send('threads-change', [thread])
    await act(() => vi.runOnlyPendingTimersAsync())
    expect(runs).toHaveBeenCalledTimes(2)
  })
})

describe('the page of one run', () => {
  const run = runRow('run_1')
  const child = runRow('run_2', {
    agent: 'researcher',
    depth: 1,
    parent: below('run_1', 'call_1'),
    startedAt: 2200,
    endedAt: 2900,
  })
  const whole = detail({
    run,
    tree: [run, child],
    calls: [
      callRow('run_1', 'call_1', { tool: 'ask_researcher' }),
      callRow('run_1', 'call_2', { tool: 'save', at: 6000, status: 'failed', failure: failureOf('timeout') }),
    ],
    explanation: [
      { kind: 'heading', depth: 0, text: 'What happened' },
      { kind: 'ok', depth: 0, text: 'Asked the researcher', time: '1 s' },
    ],
    prefixBreaks: [{ field: 'history', reason: 'It was too long.' }],
  })

  /** The text for screen readers: the rest of a row is decorative. */
  const nameOf = (row: Element | null): string =>
    row?.querySelector(':scope > :not([aria-hidden])')?.textContent ?? ''
  const rows = async (): Promise<string[]> => (await screen.findAllByRole('treeitem')).map(nameOf)

  it('shows a tree whose rows describe the bars in words', async () => {
    open({ run: () => Promise.resolve(whole) }, 'run_1')
    expect(await rows()).toEqual([
      'Turn, Answered, started after 0 ms, took 10 sec',
      'Ask researcher, Done, started after 1 sec, took 1 sec',
      'Sub-agent researcher, Answered, started after 1.2 sec, took 700 ms',
      'Save, Failed, started after 4 sec, took 1 sec',
    ])
  })

  it('moves through the tree by keyboard with a single tab stop', async () => {
    open({ run: () => Promise.resolve(whole) }, 'run_1')
    const tree = await screen.findByRole('tree')
    const current = (): string[] =>
      within(tree)
        .getAllByRole('treeitem')
        .filter((row) => row.tabIndex === 0)
        .map(nameOf)
    fireEvent.keyDown(tree, { key: 'End' })
    expect(current()).toEqual([expect.stringMatching(/^Save/)])
    expect(nameOf(document.activeElement)).toMatch(/^Save/)
    expect(within(screen.getByRole('region', { name: 'Details' })).getByText(/took too long/)).toBeTruthy()
    fireEvent.keyDown(tree, { key: 'Home' })
    fireEvent.keyDown(tree, { key: 'ArrowLeft' })
    expect(await rows()).toHaveLength(1)
    fireEvent.keyDown(tree, { key: 'ArrowRight' })
    expect(await rows()).toHaveLength(4)
  })

  it('zooms to the time of one row and back', async () => {
    open({ run: () => Promise.resolve(whole) }, 'run_1')
    const tree = await screen.findByRole('tree')
    fireEvent.keyDown(tree, { key: 'End' })
    fireEvent.keyDown(tree, { key: 'Enter' })
    expect(screen.getByText('From 4 sec to 5.1 sec')).toBeTruthy()
    fireEvent.keyDown(tree, { key: 'Escape' })
    expect(screen.queryByText(/^From/)).toBeNull()
  })

  it('links to the conversation and to each call in it', async () => {
    open({ run: () => Promise.resolve(whole) }, 'run_1')
    const link = await screen.findByRole('link', { name: 'Open the conversation' })
    expect(link.getAttribute('href')).toBe('/t/thread_1/run/run_1')
    fireEvent.keyDown(screen.getByRole('tree'), { key: 'End' })
    const call = screen.getByRole('link', { name: 'Show this call in the conversation' })
    expect(call.getAttribute('href')).toBe('/t/thread_1/call/call_2')
  })

  it('shows what broke the prompt cache, and the report of the run', async () => {
    open({ run: () => Promise.resolve(whole) }, 'run_1')
    expect(await screen.findByText('The conversation was shortened or changed')).toBeTruthy()
    expect(screen.queryByText('It was too long.')).toBeNull()
    expect(screen.getByRole('heading', { name: 'What happened' })).toBeTruthy()
    expect(screen.getByText('Asked the researcher')).toBeTruthy()
  })

  it('shows that a run does not exist', async () => {
    open({ run: () => Promise.reject(new ApiError({ code: 'not_found', message: '' })) }, 'run_9')
    expect(await screen.findByText('There is no such run')).toBeTruthy()
  })

  it('is loaded again while the run goes on', async () => {
    const going = detail({ run: runRow('run_1', { status: 'running', endedAt: undefined }) })
    const get = vi.fn(() => Promise.resolve(going))
    vi.useFakeTimers({ shouldAdvanceTime: true })
    open({ run: get }, 'run_1')
    expect(await screen.findByText(/This run is still running/)).toBeTruthy()
    get.mockResolvedValue(detail())
    await act(() => vi.advanceTimersByTimeAsync(3000))
    await waitFor(() => expect(screen.queryByText(/This run is still running/)).toBeNull())
    expect(get).toHaveBeenCalledTimes(2)
  })
})
