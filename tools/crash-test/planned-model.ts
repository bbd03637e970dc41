import { setImmediate as nextTask, setTimeout as sleep } from 'node:timers/promises'
import type { Message, ModelClient } from '@capstan/harness'
import type { ModelPart, ModelRequest } from '@capstan/harness/models'
import type { ToolCall } from '@capstan/harness/seams'
import { ModelError, textOf } from '@capstan/harness'
import { fromIterable } from '@capstan/harness/models'
import { callsOf } from '@capstan/harness/seams'
import { createRandom } from './random.ts'
import type { Plan, PlannedCall, Step } from './scenario.ts'
import { TOOLKIT, TOOLS, parsePlan, toText } from './scenario.ts'

/** Part of every system prompt of a conversation. A request without it is a side request, such as a summary. */
export const INSTRUCTIONS = 'You follow the plan in the message.'

const MODEL = 'planned/model'
/** The agent to continue when no sub-agent waits. */
export const UNKNOWN_AGENT = 'nobody'

/** How the model differs from that of a single process. */
export interface PlannedModelOptions {
  /** A part of the system prompt of conversations that have instructions of their own. */
  readonly instructed?: string
  /** The longest pause between two words, so that a turn lasts long enough to be disturbed. */
  readonly pauseMs?: number
}

/**
 * Follows the plans in the conversation: the same conversation gets the same reply in every process. Only its failures
 * depend on the process, because each occurs once per process.
 */
export function createPlannedModel({ instructed, pauseMs }: PlannedModelOptions = {}): ModelClient {
  const troubled = new Set<string>()
  return {
    id: MODEL,
    abilities: { tools: true, images: false, files: [] },
    stream: fromIterable(async function* (request, signal) {
      const random = createRandom(request.messages.length, request.system)
      const { tag, step } = toReply(request, instructed)
      const trouble = step.trouble !== undefined && !troubled.has(tag) ? step.trouble : undefined
      if (trouble && trouble !== 'dead') troubled.add(tag)
      if (trouble === 'hangs') await untilAborted(signal)
      if (trouble === 'empty') return yield toFinish(request, { words: 0, calls: [] })
      if (trouble === 'busy' || trouble === 'dead')
        throw failure({ kind: 'http', httpStatus: 503, retryable: true })
      if (trouble === 'refuses') throw failure({ kind: 'http', httpStatus: 400, retryable: false })
      for (let n = 1; n <= step.words; n++) {
        yield { type: 'text', delta: `${tag} word ${n}. ` }
        // The pieces of a real provider arrive in separate tasks.
        if (pauseMs !== undefined) await sleep(random.int(1, pauseMs))
        else await (random.chance(0.1) ? sleep(random.int(1, 3)) : nextTask())
      }
      if (step.words > 0) yield { type: 'block-end' }
      if (trouble === 'breaks') throw failure({ kind: 'network', retryable: true })
      for (const [index, call] of step.calls.entries()) {
        const id = `call_${request.messages.length}_${index}`
        const { tool } = call
        const args = toArguments(call, request.messages)
        const argumentsText = JSON.stringify(args)
        if (request.tools.length === 0) {
          // Without native tools, calls are written as text.
          yield { type: 'text', delta: '<tool_call>' }
          await nextTask()
          yield { type: 'text', delta: `${JSON.stringify({ name: tool, arguments: args })}</tool_call>\n` }
          continue
        }
        yield { type: 'call-start', id, tool }
        yield { type: 'call-delta', id, delta: argumentsText }
        await nextTask()
        yield { type: 'call', id, tool, argumentsText }
      }
      yield toFinish(request, step)
    }),
  }
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(failure({ kind: 'network', retryable: true })), {
      once: true,
    })
  })

function toArguments(call: PlannedCall, messages: readonly Message[]): ToolCall['arguments'] {
  const { tool, tag, plan, continues, spawns, action, toolkit } = call
  if (spawns !== undefined) return { agent: spawns, prompt: toText(plan!) }
  if (tool === TOOLS.wait) return {}
  if (tool === TOOLS.ask) return { question: `What about ${tag}?` }
  if (toolkit !== undefined) return { toolkit, action, arguments: { title: tag } }
  if (action !== undefined) return { toolkit: TOOLKIT, action, arguments: { tag } }
  if (tool === TOOLS.appAgent) return { toolkit: TOOLKIT, prompt: toText(plan!) }
  if (continues !== undefined) return { agent: findWaiting(continues, messages), message: toText(plan!) }
  return plan ? { prompt: toText(plan) } : { tag }
}

/** The name of the sub-agent that waits after an earlier call, from the result of that call. */
function findWaiting(tag: string, messages: readonly Message[]): string {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? callsOf(message) : []))
  const asked = calls.find(({ arguments: args }) =>
    JSON.stringify(args['prompt'] ?? '').startsWith(`"Please do ${tag}.`),
  )
  const result = messages.find((message) => message.role === 'tool' && message.callId === asked?.id)
  return /continue_agent with agent "([^"]+)"/.exec(result ? textOf(result) : '')?.[1] ?? UNKNOWN_AGENT
}

function failure(facts: { kind: 'http' | 'network'; httpStatus?: number; retryable: boolean }): ModelError {
  return new ModelError(`planned trouble: ${facts.kind}`, { model: MODEL, ...facts })
}

function toFinish({ messages }: ModelRequest, { words, calls }: Step): ModelPart {
  const usage = {
    inputTokens: 10 * messages.length,
    outputTokens: 5 * words + 20 * calls.length,
    cachedInputTokens: messages.length,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    chargedUsd: 0,
    estimatedUsd: 0.001 * messages.length,
  }
  return { type: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop', usage }
}

interface PlannedReply {
  readonly tag: string
  readonly step: Step
}

/** The next step of the plans of the turn, in the order they were sent, or the closing reply. */
function toReply({ system, messages }: ModelRequest, instructed = INSTRUCTIONS): PlannedReply {
  const closing = (tag: string): PlannedReply => ({ tag, step: { words: 3, calls: [] } })
  if (![...INSTRUCTED, instructed].some((text) => system.includes(text))) return closing('a summary')
  const opening = messages.findLastIndex((message) => message.role === 'user' && message.delivery !== 'steer')
  const turn = messages.slice(Math.max(0, opening))
  const plans = turn.flatMap(toPlans)
  const done = turn.filter(isStep).length
  const steps = plans.flatMap(({ tag, steps: own }) =>
    own.map((step, n) => ({ tag: `${tag}s${n + 1}`, step })),
  )
  const next = steps[done] ?? closing(`the end of ${plans.map(({ tag }) => tag).join(' and ')}`)
  return next.step.waits && countOpen(turn) > 0 ? { tag: 'a wait', step: WAITING } : next
}

/** The integrations agent has instructions of its own. */
const INSTRUCTED = [INSTRUCTIONS, 'You work in one app of the user']

const WAITING: Step = { words: 0, calls: [{ tool: TOOLS.wait, tag: '' }] }

/** Waiting for sub-agents is not a step of a plan. */
const isStep = (message: Message): boolean =>
  message.role === 'assistant' && callsOf(message).some(({ tool }) => tool !== TOOLS.wait)

/** How many sub-agents were started without waiting and have not reported. */
function countOpen(messages: readonly Message[]): number {
  let open = 0
  for (const message of messages) {
    if (message.role === 'tool' && message.tool === TOOLS.spawn && /Started as/.test(message.text)) open++
    if (message.role === 'notice' && message.fact?.kind === 'agent-ended') open--
  }
  return open
}

function toPlans(message: Message): readonly Plan[] {
  const plan = message.role === 'user' ? parsePlan(textOf(message)) : undefined
  return plan ? [plan] : []
}
