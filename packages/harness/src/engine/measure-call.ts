import type { ModelRequest } from '../models/model-client.ts'
import type { ModelCall } from '../seams/seams.ts'
import { roundMs } from '../turn/clock.ts'
import type { Answer } from './call-model.ts'
import type { Turn } from './turn.ts'
import { notifyObservers } from './turn.ts'

/** Tells the observers how a model call that has just begun went, once it is over. */
export async function measureCall(
  turn: Turn,
  { system, messages }: ModelRequest,
  answering: Promise<Answer>,
): Promise<Answer> {
  const { run, model, watch } = turn
  const startedAt = run.clock.now()
  const began = run.clock.monotonic()
  const answer = await answering
  const { firstPartAt } = watch
  const call: ModelCall = {
    model: model.id,
    system,
    messages,
    startedAt,
    durationMs: roundMs(run.clock.monotonic() - began),
    ...(firstPartAt === undefined ? undefined : { firstPartMs: roundMs(Math.max(0, firstPartAt - began)) }),
    ...toResult(answer),
  }
  const notifying = notifyObservers(turn, (observer) => observer.modelCalled?.(run, call))
  if (notifying) await notifying
  return answer
}

function toResult(answer: Answer): Pick<ModelCall, 'reply' | 'failure'> {
  if ('reply' in answer) return { reply: answer.reply }
  return answer.ending.type === 'failed' ? { failure: answer.ending.failure } : {}
}
