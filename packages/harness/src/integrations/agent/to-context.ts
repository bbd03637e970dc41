import type { Action } from '../../ports/connector.ts'
import { CALL_TOOL } from '../../seams/tool-sources/live-tools.ts'
import { frameUntrusted } from '../../text/untrusted-frame.ts'
import { sanitizeLine, sanitizeText } from '../../text/untrusted-text.ts'
import type { ListedToolkit } from '../directory/snapshot.ts'

/** Characters of names of further actions. */
const MAX_NAMES_CHARS = 16_000

/** The most that is quoted of what an app says about itself. */
const MAX_INSTRUCTIONS_CHARS = 1_000

interface NoteParts {
  readonly others: readonly Action[]
  readonly gated: readonly Action[]
  /** What the app says about its use. Untrusted. */
  readonly instructions: string | undefined
  /** The tool that calls an action by name. */
  readonly via: string
}

/** What the sub-agent must know besides its tools: the app, the account, further actions, and those not allowed. Pure. */
export function toContext(
  { name }: ListedToolkit,
  { account: label, ...parts }: Omit<NoteParts, 'via'> & { readonly account: string },
): string {
  const app = sanitizeLine(name, 60)
  const account = sanitizeLine(label, 120)
  return [
    account === '' ? `You work in ${app}.` : `You work in ${app}, in the account ${account}.`,
    ...toNotes(app, { ...parts, via: CALL_TOOL }),
  ].join('\n')
}

/** Further actions of an app, those that the user does not allow, and what the app says about itself. Pure. */
export function toNotes(app: string, { others, gated, instructions, via }: NoteParts): readonly string[] {
  const said = sanitizeText(instructions, MAX_INSTRUCTIONS_CHARS)
  return [
    ...(others.length > 0
      ? [`Further actions, callable through ${via}: ${list(others.map((action) => action.name))}.`]
      : []),
    ...(gated.length > 0
      ? [
          `Not allowed by the user's settings, and only the user can change that: ` +
            list(gated.map((action) => `${action.name} (needs ${action.effect})`)) +
            `. If the task needs one of them, say which, and that it can be allowed under Connections, ${app}.`,
        ]
      : []),
    ...(said === '' ? [] : [`What ${app} says about its actions:`, frameUntrusted(said, 'app')]),
  ]
}

/** As many names as fit, and how many are left out. */
function list(names: readonly string[]): string {
  let chars = 0
  const fitting = names.filter((name) => (chars += name.length + 2) <= MAX_NAMES_CHARS)
  const left = names.length - fitting.length
  return `${fitting.join(', ')}${left > 0 ? `, and ${left} more` : ''}`
}
