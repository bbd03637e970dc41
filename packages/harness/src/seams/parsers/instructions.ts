import type { JsonValue } from '../../turn/json.ts'
import type { Tool } from '../../turn/tool/tool.ts'
import { toJsonSchema } from '../../turn/tool/tool.ts'
import type { Position } from './arguments/pformat.ts'
import { POSITIONAL_NAME, positionsOf } from './arguments/pformat.ts'

// This text is part of the system prompt, which providers cache: the same tools must give the same bytes.

/** Instructions for calling tools with JSON between tags. Empty without tools. */
export function toXmlInstructions(tools: readonly Tool[]): string {
  if (tools.length === 0) return ''
  return [
    '## Calling tools',
    'To call a tool, write a tag with one JSON object in it:',
    '<tool_call>{"name": "tool_name", "arguments": {"key": "value"}}</tool_call>',
    RULES,
    '## Tools',
    ...tools.map(
      ({ name, description, input }) =>
        `### ${name}\n${description.trim()}\nArguments (JSON Schema): ${JSON.stringify(toJsonSchema(input))}`,
    ),
  ].join('\n\n')
}

/** Instructions for calling tools by position. Empty without tools. */
export function toPositionalInstructions(tools: readonly Tool[]): string {
  if (tools.length === 0) return ''
  return [
    '## Calling tools',
    'To call a tool, write a tag with its name and, in brackets, its values in the order of its signature:',
    '<tool_call>tool_name[first value|second value]</tool_call>',
    [
      '- Separate values with |. Write | inside a value as \\|, ] as \\] and \\ as \\\\. Use no quotes.',
      '- Values at the end that you do not need are left out; to leave out one in between, use the JSON form.',
      '- A tool without parameters is called as tool_name[].',
      '- Lists, objects, and tools that show no signature need the JSON form, too, with everything named:',
      '  <tool_call>{"name": "tool_name", "arguments": {"key": "value"}}</tool_call>',
      RULES,
    ].join('\n'),
    '## Tools',
    tools.map(toListing).join('\n\n'),
  ].join('\n\n')
}

const RULES = [
  '- One call per tag. For several calls write several tags; they run in the order written.',
  '- After your calls, end your reply. The results come back in a user message headed "Tool results". Never write results yourself.',
  '- Inside code blocks, inline code and quotes nothing is called: use them to talk about calls.',
].join('\n')

function toListing({ name, description, input }: Tool): string {
  const positions = positionsOf(input)
  const signature = POSITIONAL_NAME.test(name)
    ? `${name}[${positions.map((one) => one.name).join('|')}]`
    : name
  return [signature, oneLine(description), ...positions.map(toParameterLine)]
    .filter((line) => line !== '')
    .join('\n')
}

function toParameterLine({ name, type, isRequired, schema }: Position): string {
  const { description, enum: choices } = schema
  const kind = type === 'array' || type === 'object' ? `${type}, JSON form only` : (type ?? 'any')
  const oneOf = Array.isArray(choices)
    ? `, one of ${(choices as readonly JsonValue[]).map(toChoice).join(' / ')}`
    : ''
  const about = typeof description === 'string' ? `: ${oneLine(description)}` : ''
  return `- ${name} (${kind}${isRequired ? ', required' : ''}${oneOf})${about}`
}

function toChoice(choice: JsonValue): string {
  return typeof choice === 'string' ? choice : JSON.stringify(choice)
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
