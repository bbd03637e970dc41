import { describe, expect, it } from 'vitest'
import { below, callRow, detail, failureOf, runRow } from '../run.fixture.ts'
import { layOutWaterfall, openRows, placeBar, windowAround } from './waterfall.ts'

const NOW = 20_000

describe('the waterfall of a run', () => {
  it('puts the run first and its calls below it in the order they started', () => {
    const { rows, totalMs } = layOutWaterfall(
      detail({ calls: [callRow('run_1', 'late', { at: 9000 }), callRow('run_1', 'early', { at: 3000 })] }),
      NOW,
    )
    expect(rows.map(({ key, level, startMs, endMs }) => [key, level, startMs, endMs])).toEqual([
      ['run_1', 0, 0, 10_000],
      ['run_1/early', 1, 1000, 2000],
      ['run_1/late', 1, 7000, 8000],
    ])
    expect(totalMs).toBe(10_000)
  })

  it('puts a sub-agent below the call that started it, and its calls below the sub-agent', () => {
    const run = runRow('run_1')
    const child = runRow('run_2', {
      depth: 1,
      parent: below('run_1', 'call_1'),
      startedAt: 2500,
      endedAt: 2900,
    })
    const { rows } = layOutWaterfall(
      detail({
        run,
        tree: [run, child],
        // The same id in two runs means two calls.
        calls: [callRow('run_1', 'call_1'), callRow('run_2', 'call_1', { at: 2800, durationMs: 100 })],
      }),
      NOW,
    )
    expect(rows.map(({ key, parentKey, level }) => [key, parentKey, level])).toEqual([
      ['run_1', undefined, 0],
      ['run_1/call_1', 'run_1', 1],
      ['run_2', 'run_1/call_1', 2],
      ['run_2/call_1', 'run_2', 3],
    ])
    expect(rows.map(({ hasChildren }) => hasChildren)).toEqual([true, true, true, false])
  })

  it('puts a sub-agent below its run while its call is not in the ledger', () => {
    const run = runRow('run_1', { status: 'running', endedAt: undefined })
    const child = runRow('run_2', { depth: 1, parent: below('run_1', 'call_9'), startedAt: 4000 })
    const { rows } = layOutWaterfall(detail({ run, tree: [run, child] }), NOW)
    expect(rows.map(({ key, parentKey }) => [key, parentKey])).toEqual([
      ['run_1', undefined],
      ['run_2', 'run_1'],
    ])
  })

  it('starts no sub-agent before its call, however long the call was parked', () => {
    const run = runRow('run_1')
    const child = runRow('run_2', { depth: 1, parent: below('run_1', 'call_1'), startedAt: 2500 })
    // The call ended at second 9 and counts only the half second after its wait.
    const calls = [callRow('run_1', 'call_1', { at: 9000, durationMs: 500 })]
    const { rows } = layOutWaterfall(detail({ run, tree: [run, child], calls }), NOW)
    expect(rows.map(({ key, startMs }) => [key, startMs])).toEqual([
      ['run_1', 0],
      ['run_1/call_1', 1500],
      ['run_2', 1500],
    ])
  })

  it('marks the times of the model in a run, and waits for a person also in its calls', () => {
    const run = runRow('run_1')
    const child = runRow('run_2', { depth: 1, parent: below('run_1', 'call_1'), startedAt: 2500 })
    const calls = [callRow('run_1', 'call_1', { at: 9000, durationMs: 500 })]
    const spans = [
      { runId: run.id, kind: 'model' as const, startedAt: 1000, endedAt: 2000 },
      { runId: child.id, kind: 'waiting' as const, startedAt: 4000, endedAt: 8000 },
    ]
    const { rows } = layOutWaterfall(detail({ run, tree: [run, child], calls, spans }), NOW)
    const wait = { kind: 'waiting', startMs: 3000, endMs: 7000 }
    expect(rows.map(({ parts }) => parts)).toEqual([
      [{ kind: 'model', startMs: 0, endMs: 1000 }],
      [wait],
      [wait],
    ])
  })

  it('ends open rows at the current time', () => {
    const run = runRow('run_1', { status: 'running', endedAt: undefined })
    const calls = [callRow('run_1', 'call_1', { status: 'started', at: 5000, durationMs: 0 })]
    const { rows, totalMs } = layOutWaterfall(detail({ run, calls }), NOW)
    expect(rows.map(({ startMs, endMs, tone }) => [startMs, endMs, tone])).toEqual([
      [0, 19_000, 'running'],
      [4000, 19_000, 'running'],
    ])
    expect(totalMs).toBe(19_000)
  })

  it('never starts a call before its run or ends it before its start', () => {
    const { rows } = layOutWaterfall(
      detail({ calls: [callRow('run_1', 'call_1', { at: 1500, durationMs: 60_000 })] }),
      NOW,
    )
    expect(rows[1]).toMatchObject({ startMs: 0, endMs: 500 })
  })

  it('distinguishes a failure, a refusal, a stop and an unknown result', () => {
    const toneOf = (
      fields: Parameters<typeof callRow>[2],
      status: 'done' | 'waiting' = 'done',
    ): string | undefined =>
      layOutWaterfall(
        detail({ run: runRow('run_1', { status }), calls: [callRow('run_1', 'c', fields)] }),
        NOW,
      ).rows[1]?.tone
    expect(toneOf({ status: 'failed', failure: failureOf('timeout') })).toBe('failed')
    expect(toneOf({ status: 'failed', failure: failureOf('denied_by_user') })).toBe('held')
    expect(toneOf({ status: 'failed', failure: failureOf('cancelled') })).toBe('held')
    expect(toneOf({ status: 'failed', failure: failureOf('interrupted') })).toBe('unknown')
    expect(toneOf({ status: 'started' })).toBe('unknown')
    expect(toneOf({ status: 'started' }, 'waiting')).toBe('waiting')
  })

  it('has a length above zero when everything happened at once', () => {
    const run = runRow('run_1', { endedAt: 1000 })
    expect(layOutWaterfall(detail({ run }), NOW).totalMs).toBe(1)
  })

  it('hides everything below a closed row at any depth', () => {
    const run = runRow('run_1')
    const child = runRow('run_2', { parent: below('run_1', 'call_1') })
    const { rows } = layOutWaterfall(
      detail({ run, tree: [run, child], calls: [callRow('run_1', 'call_1'), callRow('run_2', 'call_1')] }),
      NOW,
    )
    expect(openRows(rows, new Set(['run_1/call_1'])).map(({ key }) => key)).toEqual(['run_1', 'run_1/call_1'])
    expect(openRows(rows, new Set())).toHaveLength(4)
  })
})

describe('the place of a bar', () => {
  it('is given in percent of the window', () => {
    const bar = placeBar({ startMs: 250, endMs: 500 }, { startMs: 0, endMs: 1000 })
    expect(bar).toEqual({ startPercent: 25, widthPercent: 25 })
  })

  it('is cut at the edges of the window and undefined outside of it', () => {
    const window = { startMs: 100, endMs: 200 }
    expect(placeBar({ startMs: 0, endMs: 150 }, window)).toEqual({ startPercent: 0, widthPercent: 50 })
    expect(placeBar({ startMs: 0, endMs: 50 }, window)).toBeUndefined()
    expect(placeBar({ startMs: 201, endMs: 300 }, window)).toBeUndefined()
  })

  it('keeps a window within the chart', () => {
    const chart = { totalMs: 1000 }
    expect(windowAround({ startMs: 0, endMs: 1000 }, chart)).toEqual({ startMs: 0, endMs: 1000 })
    expect(windowAround({ startMs: 400, endMs: 500 }, chart)).toEqual({ startMs: 395, endMs: 505 })
  })
})
