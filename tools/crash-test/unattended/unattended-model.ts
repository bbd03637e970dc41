import { setTimeout as sleep } from 'node:timers/promises'
import { ModelError } from '@capstan/harness'
import type { ModelClient } from '@capstan/harness'
import type { ModelPart, ModelRequest } from '@capstan/harness/models'
import { fromIterable } from '@capstan/harness/models'
import { createRandom } from '../random.ts'
import { TOOLS } from '../scenario.ts'
import { readMark } from './mark.ts'

const MODEL = 'planned/unattended'

/**
 * Judges triggers as they are labelled, and does in turns what their text says, also when that is hostile. Its failures
 * occur once per process; a judgement of a `dead` trigger always fails.
 */
export function createUnattendedModel(): ModelClient {
  const failed = new Set<string>()
  return {
    id: MODEL,
    abilities: { tools: true, images: false, files: [] },
    stream: fromIterable(async function* (request) {
      const text = JSON.stringify(request.messages)
      const mark = readMark(text)
      const isJudgement = request.tools.length === 0 && text.includes('A trigger came in at')
      await sleep(createRandom(text.length, text).int(0, 4))
      if (!isJudgement) return yield* act(request, text)
      const { n, label, trouble } = mark!
      const isFirst = !failed.has(`${n}`)
      failed.add(`${n}`)
      if (trouble === 'dead' || (trouble === 'busy' && isFirst))
        throw new ModelError('planned trouble', {
          model: MODEL,
          kind: 'http',
          httpStatus: 503,
          retryable: true,
        })
      const decision = {
        action: label,
        target_agent: 'orchestrator',
        prompt: 'Look at it.',
        reason: 'Labelled.',
      }
      const isBroken = trouble === 'broken' && isFirst
      yield { type: 'text', delta: isBroken ? 'I think {"action": "re' : JSON.stringify(decision) }
      yield* finish('stop')
    }),
  }
}

/** Writes where the text asks for it, looks, and ends. */
async function* act({ messages, tools }: ModelRequest, text: string): AsyncGenerator<ModelPart> {
  const begin = messages.findLastIndex(({ role }) => role === 'user')
  const done = messages.slice(begin).filter(({ role }) => role === 'tool').length
  // The write comes first: after a read the data-flow rule asks as well.
  const plan = tools.length === 0 ? [] : [...(text.includes('WRITE') ? [TOOLS.write] : []), TOOLS.read]
  const tool = plan[done]
  if (tool === undefined) {
    yield { type: 'text', delta: 'Looked ' }
    await sleep(2)
    yield { type: 'text', delta: 'around.' }
    return yield* finish('stop')
  }
  const id = `call_${messages.length}`
  yield { type: 'call', id, tool, argumentsText: JSON.stringify({ tag: `${tool} ${messages.length}` }) }
  yield* finish('tool-calls')
}

function* finish(reason: 'stop' | 'tool-calls'): Generator<ModelPart> {
  const usage = {
    inputTokens: 10,
    outputTokens: 5,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    chargedUsd: 0,
    estimatedUsd: 0.0001,
  }
  yield { type: 'finish', reason, usage }
}
