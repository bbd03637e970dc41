import type { ModelRequest } from '../../models/model-client.ts'
import { positionsOf } from '../../seams/parsers/arguments/pformat.ts'
import { readArguments } from '../../seams/parsers/arguments/read-arguments.ts'
import type { ScriptedReply, Step } from '../../testing/index.ts'
import { says } from '../../testing/index.ts'
import type { JsonObject, JsonValue } from '../../turn/json.ts'
import type { Tool } from '../../turn/tool/tool.ts'

/** The dialects in which a model may write calls. */
export const DIALECTS = ['native', 'xml', 'pformat'] as const
export type TestedDialect = (typeof DIALECTS)[number]

/** The same step, with its calls written as a model of this dialect writes them. It ends as it did. */
export function inDialect(step: Step, dialect: TestedDialect, tools: readonly CallForm[]): Step {
  if (dialect === 'native') return step
  if (typeof step === 'function')
    return (request: ModelRequest, n: number) => inDialect(step(request, n), dialect, tools)
  return { ...step, parts: step.parts.flatMap((part) => toText(part, dialect, tools)) }
}

/** What is known of a tool when a call of it is written. */
type CallForm = Pick<Tool, 'name' | 'input'>

function toText(
  part: ScriptedReply['parts'][number],
  dialect: 'xml' | 'pformat',
  tools: readonly CallForm[],
): ScriptedReply['parts'] {
  if (part.type === 'scripted-call') {
    const tool = tools.find(({ name }) => name === part.tool)
    const call = writeCall(part.tool, part.argumentsText, dialect, tool)
    return says(`\n<tool_call>${call}</tool_call>`).parts.filter(({ type }) => type === 'text')
  }
  // A call that the connection has cut.
  if (part.type === 'call-start')
    return [{ type: 'text', delta: `\n<tool_call>{"name": ${JSON.stringify(part.tool)}, "arguments": ` }]
  if (part.type === 'call-delta') return [{ type: 'text', delta: part.delta }]
  return [part.type === 'finish' && part.reason === 'tool-calls' ? { ...part, reason: 'stop' } : part]
}

function writeCall(name: string, argumentsText: string, dialect: 'xml' | 'pformat', tool?: CallForm): string {
  const json = `{"name": ${JSON.stringify(name)}, "arguments": ${argumentsText}}`
  const { arguments: args, malformed } = readArguments(argumentsText)
  if (dialect === 'xml' || !tool || malformed) return json
  return toPositional(name, args, tool) ?? json
}

/** Undefined when the call needs the JSON form: for a list or an object, and to leave out a value in between. */
function toPositional(name: string, args: JsonObject, { input }: CallForm): string | undefined {
  const given = Object.keys(args).length
  const values = positionsOf(input)
    .slice(0, given)
    .map((position) => args[position.name])
  if (values.length < given || !values.every(isPlain)) return undefined
  return `${name}[${values.map((value) => escape(toValue(value))).join('|')}]`
}

const isPlain = (value: JsonValue | undefined): value is string | number | boolean =>
  value !== undefined && typeof value !== 'object'
const toValue = (value: string | number | boolean): string =>
  typeof value === 'string' ? value : JSON.stringify(value)
const escape = (value: string): string => value.replaceAll(/[\\|\]]/g, '\\$&')
