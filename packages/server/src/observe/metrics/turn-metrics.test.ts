import type { RecordedCall, RunContext } from '@capstan/harness/seams'
import { NO_USAGE } from '@capstan/protocol'
import type { RunId, TurnOutcome } from '@capstan/protocol'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { createTurnMetrics } from './turn-metrics.ts'

const runOf = (runId: string, depth = 0) => ({ runId: runId as RunId, depth }) as RunContext
const START = {} as never
const DONE: TurnOutcome = { type: 'done', text: '', usage: NO_USAGE, iterations: 1 }

function open() {
  const registry = new Registry()
  const metrics = createTurnMetrics([registry])
  const read = async (line: string) =>
    Number(
      (await registry.metrics())
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.split(' ')[1],
    )
  return { ...metrics, read }
}

describe('the metrics of turns', () => {
  it('count a turn once, also when its sub-agent was resumed in another process', async () => {
    const { observer, read } = open()
    const [turn, child] = [runOf('run_1'), runOf('run_2', 1)]
    await observer.turnResumed(turn)
    await observer.turnResumed(child)
    expect(await read('capstan_turns_running')).toBe(1)
    await observer.turnEnded(child, DONE)
    await observer.turnEnded(turn, DONE)
    expect(await read('capstan_turns_total{outcome="done"}')).toBe(1)
    expect(await read('capstan_turns_running')).toBe(0)
  })

  it('do not count a parked turn as running', async () => {
    const { read, ...metrics } = open()
    await metrics.observer.turnStarted(runOf('run_1'), START)
    metrics.countEvent({ type: 'turn-park', runId: 'run_1' } as never)
    expect(await read('capstan_turns_running')).toBe(0)
  })

  it('give the tools of apps one name', async () => {
    const { observer, read } = open()
    for (const tool of ['send_mail', 'x'.repeat(9_999), 'drop"table'])
      await observer.callFinished(runOf('run_1'), { result: { tool, ok: true, from: 'app' } } as RecordedCall)
    expect(await read('capstan_tool_calls_total{tool="app",outcome="ok"}')).toBe(3)
  })

  it('add tokens and money', async () => {
    const { observer, read } = open()
    const usage = { ...NO_USAGE, inputTokens: 100, cachedInputTokens: 80, outputTokens: 7, chargedUsd: 0.25 }
    await observer.usageCounted(runOf('run_1'), usage, 'a/model')
    await observer.usageCounted(runOf('run_2', 1), usage, 'a/model')
    expect(await read('capstan_tokens_total{type="input"}')).toBe(200)
    expect(await read('capstan_tokens_total{type="cache_read"}')).toBe(160)
    expect(await read('capstan_cost_usd_total{kind="charged"}')).toBe(0.5)
  })
})
