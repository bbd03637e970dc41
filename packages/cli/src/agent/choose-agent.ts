import type { AgentOptions } from '@capstan/harness'
import { createClockTool } from '@capstan/harness'
import type { Pace } from '@capstan/server/demo'
import { DEMO_LABEL, createDemoModel, createDemoTools, librarian } from '@capstan/server/demo'
import { chooseModel, MODEL_HELP } from './choose-model.ts'
import { INSTRUCTIONS } from './instructions.ts'
import type { Shell } from '../shell/shell.ts'

/** What `chat` talks to, and what `resume` goes on with. */
export const AGENT_OPTIONS = {
  model: { type: 'string' },
  demo: { type: 'boolean' },
  fast: { type: 'boolean' },
  'no-tools': { type: 'boolean' },
} as const

interface AgentFlags {
  readonly model?: string
  readonly demo?: boolean
  readonly 'no-tools'?: boolean
}

/** For `--help`. */
export const AGENT_HELP = `${MODEL_HELP}
  --demo                the scripted demo model, offline
  --fast                with --demo: without its pauses
  --no-tools            offer no tools, for models that cannot take any`

/** The assistant the flags name, and what to call it. Throws `UsageError` when nothing names a model. */
export function chooseAgent(
  flags: AgentFlags,
  { env }: Shell,
  pace: Pace,
): { readonly agent: AgentOptions; readonly name: string } {
  if (flags.demo) {
    const agent: AgentOptions = {
      model: createDemoModel(pace),
      tools: createDemoTools(pace),
      agents: [librarian],
      origin: 'cli',
    }
    return { agent, name: DEMO_LABEL }
  }
  const model = chooseModel(flags.model, env)
  const tools = flags['no-tools'] ? [] : [createClockTool()]
  return { agent: { model, tools, instructions: INSTRUCTIONS, origin: 'cli' }, name: `Model: ${model.id}` }
}
