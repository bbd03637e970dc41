import type { TurnOutcome } from '@capstan/protocol'
import { replyWasCut } from '../context/notices.ts'
import { endsTheTree } from '../turn/errors.ts'
import { holdProcess } from '../turn/hold-process.ts'
import type { ModelReply } from '../turn/message/model-reply.ts'
import { callModel } from './call-model.ts'
import { answerEmptyReply } from './answer-empty-reply.ts'
import { fitHistory, needsFitting } from './fit-history.ts'
import { leaveEarly } from './leave-early.ts'
import { offerTools } from './offer-tools.ts'
import { endTurn, openTurn } from './open-and-end.ts'
import { prepareCalls } from './prepare-calls.ts'
import { readReply } from './read-reply.ts'
import { runToolCalls } from './run-tool-calls.ts'
import { resumeRun } from './resume-run.ts'
import { warnOfSpending } from './spending.ts'
import { endSpawned, goesOn } from './spawned-runs.ts'
import { readResultCalls, readResultText } from './structured-output.ts'
import type { Ending, Turn } from './turn.ts'
import { append } from './turn.ts'

/**
 * Runs one turn to its end. This is the only loop: a chat, a channel and a sub-agent differ in the seams they bring.
 * It always streams; a caller who needs only the end awaits the outcome. Rejects for a bug or a failed observer, after
 * it has reported `turn-end`. Rejects without `turn-end` when the run is parked or can no longer be recorded: such a
 * run has no end yet.
 */
export async function runTurn(turn: Turn): Promise<TurnOutcome> {
  const release = holdProcess()
  try {
    return await runToEnd(turn)
  } finally {
    release()
  }
}

async function runToEnd(turn: Turn): Promise<TurnOutcome> {
  let ending: Ending | undefined
  try {
    const begin = turn.past ? resumeRun(turn, turn.past) : openTurn(turn) // 1. start, the user's message
    ending = (await begin) ?? (await runIterations(turn))
    if (turn.spawned) await endSpawned(turn, turn.spawned, ending)
    if (ending.type === 'done') await warnOfSpending(turn, turn.state.iterations)
  } catch (error) {
    await turn.spawned?.leave(error)
    if (endsTheTree(error)) turn.watch.close()
    else await endTurn(turn, undefined)
    throw error
  }
  return endTurn(turn, ending)
}

async function runIterations(turn: Turn): Promise<Ending> {
  for (let iteration = turn.state.iterations + 1; ; iteration++) {
    const leave = leaveEarly(turn, iteration) // 2. aborted, stop hook, cap
    if (leave) return leave
    await warnOfSpending(turn, iteration)
    const surface = await offerTools(turn, iteration) // 3. current tools, notices, messages of the user
    const misfit = needsFitting(turn) && (await fitHistory(turn, iteration)) // 4.
    if (misfit) return misfit
    const answer = await callModel(turn, surface, iteration) // 5.
    if ('ending' in answer) return answer.ending
    const { text, calls, message } = readReply(turn, answer.reply, surface, iteration) // 6.
    if (message) await append(turn, message) // 7.
    else if (!turn.output) {
      const ending = await answerEmptyReply(turn, answer.reply, iteration)
      if (ending) return ending
      continue
    }
    if (message?.cut) await append(turn, replyWasCut())
    else if (calls.length > 0) {
      const preparing = prepareCalls(turn, calls, surface)
      const prepared = preparing instanceof Promise ? await preparing : preparing
      const batch = await runToolCalls(turn, { text, calls }, prepared, iteration) // 8. and 9.
      const ending =
        batch.ending ?? (turn.output && (await readResultCalls(turn, turn.output, calls, surface)))
      if (ending) return ending
    } else if (turn.inbox.isEmpty && !(await goesOn(turn))) {
      const ending = turn.output
        ? await readResultText(turn, turn.output, text)
        : toAnswer(text, answer.reply)
      if (ending) return ending
    }
  } // 10. next iteration; step 2 checks the cap
}

const toAnswer = (text: string, { finish }: ModelReply): Ending =>
  finish === 'length' ? { type: 'done', text, cut: 'length' } : { type: 'done', text }
