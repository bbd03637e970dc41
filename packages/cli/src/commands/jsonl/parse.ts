import type { JsonSchema } from '@capstan/harness'
import { parseText } from '@capstan/harness/stages'
import { answerLines, LineError, listField, textField } from './answer-lines.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'

const DIALECTS = ['native', 'xml', 'pformat', 'any'] as const

const HELP = `Usage: capstan parse --jsonl

Parses model replies as the engine does: the calls they contain, and the text a person sees.

  --jsonl   read lines {"id","dialect","tools":[{"name","schema"}],"text"} from standard input and
            write {"id","display","calls":[{"name","arguments"}]} for each
            dialect: ${DIALECTS.join(', ')} ("any" is what a model without tool calling gets)

Exit codes: 0 all parsed, 1 a line could not be read, 2 bad usage`

export const parse: Command = {
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'parse', options: { jsonl: { type: 'boolean' } } })
    if (!values.jsonl) throw new UsageError('Replies come as JSON lines: add --jsonl.')
    return answerLines(shell, (line) => {
      const tools = listField(line, 'tools').map(toTool)
      return {
        id: line['id'] ?? null,
        ...parseText(toDialect(line['dialect']), tools, textField(line, 'text')),
      }
    })
  },
}

function toDialect(value: unknown): (typeof DIALECTS)[number] {
  const dialect = DIALECTS.find((name) => name === value)
  if (!dialect) throw new LineError(`"dialect" must be one of ${DIALECTS.join(', ')}`)
  return dialect
}

function toTool(tool: unknown): { readonly name: string; readonly input: JsonSchema } {
  const { name, schema = {} } = (tool ?? {}) as { name?: unknown; schema?: unknown }
  if (typeof name !== 'string') throw new LineError('every tool needs a "name"')
  if (typeof schema !== 'object' || schema === null)
    throw new LineError(`the "schema" of ${name} must be an object`)
  return { name, input: schema as JsonSchema }
}
