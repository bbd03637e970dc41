import type { Action } from '../../ports/connector.ts'
import { frameUntrusted } from '../../text/untrusted-frame.ts'
import { sanitizeLine, sanitizeText } from '../../text/untrusted-text.ts'
import type { ListedToolkit } from '../directory/snapshot.ts'

/** Actions whose names the sub-agent is given beside its tools. */
const MAX_NAMED = 200

/** The most that is quoted of what an app says about itself. */
const MAX_INSTRUCTIONS_CHARS = 1_000

interface ContextParts {
  readonly account: string
  readonly others: readonly Action[]
  readonly gated: readonly Action[]
  /** What the app says about its use. Untrusted. */
  readonly instructions: string | undefined
}

/** What the sub-agent must know besides its tools: the app, the account, further actions, and those not allowed. Pure. */
export function toContext(
  { name }: ListedToolkit,
  { account: label, others, gated, instructions }: ContextParts,
): string {
  const app = sanitizeLine(name, 60)
  const account = sanitizeLine(label, 120)
  const said = sanitizeText(instructions, MAX_INSTRUCTIONS_CHARS)
  return [
    account === '' ? `You work in ${app}.` : `You work in ${app}, in the account ${account}.`,
    ...(others.length > 0 ? [`Further actions, callable through call_tool: ${list(others)}.`] : []),
    ...(gated.length > 0
      ? [
          `Not allowed by the user's settings, and only the user can change that: ` +
            gated
              .slice(0, MAX_NAMED)
              .map((action) => `${action.name} (needs ${action.effect})`)
              .join(', ') +
            `. If the task needs one of them, say which, and that it can be allowed under Connections, ${app}.`,
        ]
      : []),
    ...(said === '' ? [] : [`What ${app} says about its actions:`, frameUntrusted(said, 'app')]),
  ].join('\n')
}

const list = (actions: readonly Action[]): string =>
  actions
    .slice(0, MAX_NAMED)
    .map((action) => action.name)
    .join(', ')
