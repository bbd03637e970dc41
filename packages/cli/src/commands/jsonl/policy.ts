import type { PolicyTrace } from '@capstan/harness/stages'
import { replayPolicy } from '@capstan/harness/stages'
import { answerLines, LineError, listField, textField, toRecord } from './answer-lines.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'

const MODES = ['read-only', 'supervised', 'full'] as const
const EFFECTS = ['read', 'write', 'admin'] as const
const LABELS = ['private', 'untrusted'] as const

const HELP = `Usage: capstan policy replay --jsonl

Replays recorded tool calls through the safety policy and the data-flow rule, exactly as the tool path does.
Each step is judged by what came before it, never by its own result.

  --jsonl   read lines {"id","mode","user","followups":[{"before_step","user"}],
            "tools":[{"name","description","effect","returns","destinations"}],
            "steps":[{"tool","arguments","result"}]} from standard input and write
            {"id","decisions":[{"step","decision","rule"}]} for each; "step" counts from 0
            mode: ${MODES.join(', ')} (absent: full); effect: ${EFFECTS.join(', ')}

Exit codes: 0 all replayed, 1 a line could not be read, 2 bad usage`

export const policy: Command = {
  help: HELP,
  async run([verb, ...args], shell) {
    if (verb !== 'replay') throw new UsageError('Name an action: "capstan policy replay --jsonl".')
    const { values } = parseFlags(args, { command: 'policy', options: { jsonl: { type: 'boolean' } } })
    if (!values.jsonl) throw new UsageError('Calls come as JSON lines: add --jsonl.')
    return answerLines(shell, (line) => ({ id: line['id'] ?? null, decisions: replayPolicy(toTrace(line)) }))
  },
}

type Fields = Readonly<Record<string, unknown>>

function toTrace(line: Fields): PolicyTrace {
  const { mode = 'full', followups = [] } = line
  return {
    mode: oneOf(MODES, mode, 'mode'),
    user: textField(line, 'user'),
    followups: list(followups ?? [], 'followups').map((item, index) =>
      toFollowup(item, `followups[${index}]`),
    ),
    tools: listField(line, 'tools').map((tool, index) => toTool(tool, `tools[${index}]`)),
    steps: listField(line, 'steps').map((step, index) => toStep(step, `steps[${index}]`)),
  }
}

function toFollowup(item: unknown, where: string): PolicyTrace['followups'][number] {
  const { before_step: beforeStep, user } = toRecord(item, where)
  if (typeof beforeStep !== 'number') throw new LineError(`"${where}.before_step" must be a number`)
  return { beforeStep, user: text(user, `${where}.user`) }
}

/** What a tool does not declare counts as the most careful: it writes, and its results are private and untrusted. */
function toTool(tool: unknown, where: string): PolicyTrace['tools'][number] {
  const {
    name,
    description = '',
    effect = 'write',
    returns = LABELS,
    destinations = [],
  } = toRecord(tool, where)
  return {
    name: text(name, `${where}.name`),
    description: text(description ?? '', `${where}.description`),
    effect: oneOf(EFFECTS, effect, `${where}.effect`),
    returns: LABELS.filter((label) => list(returns, `${where}.returns`).includes(label)),
    destinations: list(destinations, `${where}.destinations`).map((argument, index) =>
      text(argument, `${where}.destinations[${index}]`),
    ),
  }
}

function toStep(step: unknown, where: string): PolicyTrace['steps'][number] {
  const { tool, arguments: args = {}, result = '' } = toRecord(step, where)
  return {
    tool: text(tool, `${where}.tool`),
    arguments: toRecord(args, `${where}.arguments`) as PolicyTrace['steps'][number]['arguments'],
    result: typeof result === 'string' ? result : JSON.stringify(result),
  }
}

function oneOf<Name extends string>(names: readonly Name[], value: unknown, where: string): Name {
  const found = names.find((name) => name === value)
  if (found === undefined) throw new LineError(`"${where}" must be one of ${names.join(', ')}`)
  return found
}

function text(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new LineError(`"${where}" must be a string`)
  return value
}

function list(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new LineError(`"${where}" must be a list`)
  return value
}
