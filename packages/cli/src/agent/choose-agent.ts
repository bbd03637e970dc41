import type { AgentOptions } from '@capstan/harness'
import { createClockTool } from '@capstan/harness/tools'
import type { Pace } from '@capstan/demo'
import { DEMO_LABEL, createDemoModel, createDemoTools, notesHelper } from '@capstan/demo'
import { chooseModel, MODEL_HELP } from './choose-model.ts'
import { INSTRUCTIONS } from './instructions.ts'
import type { Shell } from '../shell/shell.ts'

/** The options that choose the agent of `chat` and `resume`. */
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

/** The lines about these options for `--help`. */
export const AGENT_HELP = `${MODEL_HELP}
  --demo                use the scripted demo model, offline
  --fast                with --demo: run without pauses
  --no-tools            offer no tools, for models without tool support`

/** The agent that the flags name, and its name for people. Throws `UsageError` when no model is named. */
export function chooseAgent(
  flags: AgentFlags,
  { env }: Shell,
  pace: Pace,
): { readonly agent: AgentOptions; readonly name: string } {
  if (flags.demo) {
    const agent: AgentOptions = {
      model: createDemoModel(pace),
      tools: createDemoTools(pace),
      agents: [notesHelper],
      origin: 'cli',
    }
    return { agent, name: DEMO_LABEL }
  }
  const model = chooseModel(flags.model, env)
  const tools = flags['no-tools'] ? [] : [createClockTool()]
  return { agent: { model, tools, instructions: INSTRUCTIONS, origin: 'cli' }, name: `Model: ${model.id}` }
}
