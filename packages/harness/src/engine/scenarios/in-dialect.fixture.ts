import type { ModelRequest } from '../../models/model-client.ts'
import { positionsOf } from '../../seams/parsers/arguments/pformat.ts'
import { readArguments } from '../../seams/parsers/arguments/read-arguments.ts'
import type { Step } from '../../testing/index.ts'
import { says } from '../../testing/index.ts'
import type { JsonObject, JsonValue } from '../../turn/json.ts'
import type { Tool } from '../../turn/tool/tool.ts'

/** The dialects in which a model may write calls. */
export const DIALECTS = ['native', 'xml', 'pformat'] as const
export type TestedDialect = (typeof DIALECTS)[number]

/** The same step, with its calls written as a model of this dialect writes them. */
export function inDialect(step: Step, dialect: TestedDialect, tools: readonly Tool[]): Step {
  if (dialect === 'native') return step
  if (typeof step === 'function')
    return (request: ModelRequest, n: number) => inDialect(step(request, n), dialect, tools)
  let text = ''
  let hasCalls = false
  for (const part of step.parts) {
    if (part.type === 'text') text += part.delta
    if (part.type !== 'scripted-call') continue
    hasCalls = true
    const tool = tools.find(({ name }) => name === part.tool)
    text += `\n<tool_call>${writeCall(part.tool, part.argumentsText, dialect, tool)}</tool_call>`
  }
  return hasCalls ? says(text) : step
}

function writeCall(name: string, argumentsText: string, dialect: 'xml' | 'pformat', tool?: Tool): string {
  const json = `{"name": ${JSON.stringify(name)}, "arguments": ${argumentsText}}`
  const { arguments: args, malformed } = readArguments(argumentsText)
  if (dialect === 'xml' || !tool || malformed) return json
  return toPositional(name, args, tool) ?? json
}

/** Undefined when the call needs the JSON form. */
function toPositional(name: string, args: JsonObject, { input }: Tool): string | undefined {
  const positions = positionsOf(input).map((position) => position.name)
  const given = positions.slice(0, Object.keys(args).length)
  if (given.length === 0 && Object.keys(args).length > 0) return undefined
  if (!given.every((position) => isPlain(args[position]))) return undefined
  return `${name}[${given.map((position) => escape(toText(args[position]))).join('|')}]`
}

const isPlain = (value: JsonValue | undefined): boolean => value !== undefined && typeof value !== 'object'
const toText = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value)
const escape = (value: string): string => value.replaceAll(/[\\|\]]/g, '\\$&')
