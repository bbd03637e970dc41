import type { ModelClient } from '@capstan/harness'
import { createModel } from '@capstan/harness'
import { MODELS_BY_KEY } from '@capstan/server/models'
import type { Environment } from '../terminal/style.ts'
import { UsageError } from '../shell/shell.ts'

/** The model of the flag, of CAPSTAN_MODEL, or of the first key that is set. Throws `UsageError` when there is none. */
export function chooseModel(flag: string | undefined, env: Environment): ModelClient {
  const name = flag || modelIn(env)
  if (name === undefined) {
    throw new UsageError(
      'No model is set: name one with --model or CAPSTAN_MODEL, such as ollama/llama4 or openai/gpt-5, or set ' +
        `${MODELS_BY_KEY.map(([variable]) => variable).join(', ')}. Without a model, "npx capstan chat --demo" answers from a script.`,
    )
  }
  return createModel(name, { env })
}

const modelIn = (env: Environment): string | undefined =>
  env['CAPSTAN_MODEL'] || MODELS_BY_KEY.find(([variable]) => env[variable])?.[1]

/** The command that starts a first chat: with the demo model when the environment names none. */
export const firstChat = (env: Environment): string =>
  modelIn(env) === undefined ? 'capstan chat --demo' : 'capstan chat'

/** The lines about `--model` for `--help`. */
export const MODEL_HELP = `  --model <name>        openai/<model>, anthropic/<model>, google/<model>, ollama/<model>, or any
                        OpenAI-compatible address: http://localhost:8000/v1#<model>
                        Default: CAPSTAN_MODEL, or a model for the first of these keys that is
                        set: ${MODELS_BY_KEY.map(([variable]) => variable).join(', ')}`
