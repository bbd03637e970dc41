import type { Trace } from '@capstan/harness/stages'
import { replayTrace } from '@capstan/harness/stages'
import { answerLines, LineError, listField, toRecord } from './answer-lines.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'

const HELP = `Usage: capstan guards replay --jsonl

Replays recorded runs through the loop guards, exactly as the engine does.

  --jsonl   read lines {"id","steps":[{"text","calls":[{"tool","args","polls"}],
            "results":[{"ok","text","class"}]}]} from standard input and write
            {"id","halted","guard","step","answer"} for each; "step" counts from 0

Exit codes: 0 all replayed, 1 a line could not be read, 2 bad usage`

export const guards: Command = {
  help: HELP,
  async run([verb, ...args], shell) {
    if (verb !== 'replay') throw new UsageError('Name an action: "capstan guards replay --jsonl".')
    const { values } = parseFlags(args, { command: 'guards', options: { jsonl: { type: 'boolean' } } })
    if (!values.jsonl) throw new UsageError('Runs come as JSON lines: add --jsonl.')
    return answerLines(shell, (line) => {
      const { halted, guard = null, step = null, answer = null } = replayTrace(toTrace(line))
      return { id: line['id'] ?? null, halted, guard, step, answer }
    })
  },
}

function toTrace(line: Readonly<Record<string, unknown>>): Trace {
  const steps = listField(line, 'steps').map((step, index) => toStep(step, `steps[${index}]`))
  return { id: JSON.stringify(line['id'] ?? null), steps }
}

function toStep(step: unknown, where: string): Trace['steps'][number] {
  const { text = '', calls, results } = toRecord(step, where)
  if (typeof text !== 'string') throw new LineError(`"${where}.text" must be a string`)
  if (!Array.isArray(calls)) throw new LineError(`"${where}.calls" must be a list`)
  if (!Array.isArray(results)) throw new LineError(`"${where}.results" must be a list`)
  return {
    text,
    calls: calls.map((call: unknown, index) => {
      const { tool, args = {}, polls } = toRecord(call, `${where}.calls[${index}]`)
      if (typeof tool !== 'string') throw new LineError(`"${where}.calls[${index}].tool" must be a string`)
      const plain = toRecord(args, `${where}.calls[${index}].args`)
      return { tool, args: plain as Trace['steps'][number]['calls'][number]['args'], polls: polls === true }
    }),
    results: results.map((result: unknown, index) => {
      const { ok, text: output = '', class: failure } = toRecord(result, `${where}.results[${index}]`)
      return {
        ok: ok === true,
        text: typeof output === 'string' ? output : JSON.stringify(output),
        class: typeof failure === 'string' ? failure : null,
      }
    }),
  }
}
