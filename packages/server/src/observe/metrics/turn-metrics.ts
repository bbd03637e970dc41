import type { TurnObserver } from '@capstan/harness/seams'
import type { RunId, TurnEvent, Usage } from '@capstan/protocol'
import type { Registry } from 'prom-client'
import { Counter, Gauge } from 'prom-client'
import { createBoundedLabel } from './bounded-label.ts'

/** Counts what turns do. Sub-agents count for their turn. */
export interface TurnMetrics {
  readonly observer: Required<
    Pick<TurnObserver, 'turnStarted' | 'turnResumed' | 'turnEnded' | 'usageCounted' | 'callFinished'>
  >
  countEvent(event: TurnEvent): void
}

export function createTurnMetrics(registers: Registry[]): TurnMetrics {
  const counters = createCounters(registers)
  const { turns, running, failures, halts, tokens, money, calls } = counters
  const guardLabel = createBoundedLabel()
  const toolLabel = createBoundedLabel(100)
  const active = new Set<RunId>()
  const setRunning = () => running.set(active.size)

  function begin({ runId, depth }: { readonly runId: RunId; readonly depth: number }): void {
    if (depth > 0) return
    active.add(runId)
    setRunning()
  }

  function leave(runId: RunId): void {
    if (active.delete(runId)) setRunning()
  }

  return {
    observer: {
      turnStarted: begin,
      turnResumed: begin,
      turnEnded({ runId, depth }, outcome) {
        leave(runId)
        if (outcome.type === 'halted') halts.inc({ guard: guardLabel(outcome.guard) })
        if (depth > 0) return
        turns.inc({ outcome: outcome.type })
        if (outcome.type === 'failed') failures.inc({ class: outcome.failure.class, where: 'turn' })
      },
      usageCounted(_, usage) {
        for (const [type, count] of tokensIn(usage)) tokens.inc({ type }, count)
        money.inc({ kind: 'charged' }, usage.chargedUsd)
        money.inc({ kind: 'estimated' }, usage.estimatedUsd)
      },
      callFinished(_, { result: { tool, ok, from, failure, didNotRun } }) {
        // The tools of an app have whatever names the app likes.
        const name = didNotRun ? 'none' : from === 'app' ? 'app' : toolLabel(tool)
        calls.inc({ tool: name, outcome: ok ? 'ok' : didNotRun ? 'not_run' : 'failed' })
        if (failure) failures.inc({ class: failure.class, where: 'call' })
      },
    },
    countEvent(event) {
      if (event.type === 'iteration-start') counters.iterations.inc()
      else if (event.type === 'turn-park') leave(event.runId)
      else if (event.type === 'prefix-break') counters.breaks.inc({ field: event.field })
      else if (event.type === 'model-retry') failures.inc({ class: event.failure.class, where: 'model' })
    },
  }
}

function createCounters(registers: Registry[]) {
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `capstan_${name}_total`, help, labelNames, registers })
  const breaks = counter('prefix_breaks', 'Requests that broke the prompt cache, by what changed.', 'field')
  for (const field of ['tools', 'system', 'history']) breaks.inc({ field }, 0)
  const halts = counter('guard_halts', 'Runs that a guard stopped, by guard.', 'guard')
  const turns = counter('turns', 'Turns that ended, by outcome.', 'outcome')
  for (const outcome of OUTCOMES) turns.inc({ outcome }, 0)
  return {
    turns,
    halts,
    breaks,
    running: new Gauge({ name: 'capstan_turns_running', help: 'Turns that run now.', registers }),
    iterations: counter('iterations', 'Iterations of turns and sub-agents.'),
    tokens: counter('tokens', 'Tokens of model calls, by type. Cached ones are part of the input.', 'type'),
    money: counter('cost_usd', 'What model calls cost, as charged or as estimated.', 'kind'),
    calls: counter(
      'tool_calls',
      'Calls of tools, by tool and outcome. Tools of apps share a name.',
      'tool',
      'outcome',
    ),
    failures: counter('failures', 'Failures of calls, model calls and turns, by class.', 'class', 'where'),
  }
}

const OUTCOMES = ['done', 'halted', 'capped', 'needs-input', 'failed', 'aborted'] as const

const tokensIn = (usage: Usage): readonly (readonly [string, number])[] => [
  ['input', usage.inputTokens],
  ['output', usage.outputTokens],
  ['cache_read', usage.cachedInputTokens],
  ['cache_write', usage.cacheWriteTokens],
  ['reasoning', usage.reasoningTokens],
]
