import { retention } from '../canonical-request.ts'
import type { Subject } from '../subject.ts'
import { createTape } from '../tape.ts'
import { checkTurn } from './check-turn.ts'
import {
  LATE_TOOL_TURN,
  PREFIX_INSTRUCTIONS,
  questionOf,
  toLateTool,
  toPrefixScript,
  toRegisterTools,
  TURNS,
} from './prefix-scenarios.ts'
import type { ScenarioName } from './prefix-scenarios.ts'

export interface MeasuredPrefix {
  /** The smallest share that any request kept of the one before it. */
  readonly retention: number
  readonly problems: readonly string[]
}

export async function measurePrefix(subject: Subject, scenario: ScenarioName): Promise<MeasuredPrefix> {
  const script = toPrefixScript(scenario, subject.writeLateCall ?? ((tool, args) => ({ tool, args })))
  const tape = createTape(script, 'all')
  const executed: number[] = []
  const conversation = await subject.open({
    instructions: PREFIX_INSTRUCTIONS,
    tools: toRegisterTools(executed),
    tape,
    maxIterations: script.replies.length,
  })
  let text = ''
  for (let turn = 0; turn < TURNS; turn++) {
    if (scenario === 'P2' && turn === LATE_TOOL_TURN) conversation.addTool(toLateTool(executed))
    text = await conversation.send(questionOf(turn))
  }
  await conversation.close?.()
  const problems = checkTurn(script, {
    text,
    modelCalls: tape.modelCalls,
    executed,
    lastRequest: tape.lastRequest(),
  })
  const kept = tape.requests.slice(1).map((request, index) => retention(tape.requests[index]!, request))
  return { retention: Math.min(...kept), problems }
}
