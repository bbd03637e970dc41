import type { Action } from '../../ports/connector.ts'
import { sanitizeLine } from '../../text/untrusted-text.ts'
import type { ListedToolkit } from '../directory/snapshot.ts'

/** Actions whose names the sub-agent is given beside its tools. */
const MAX_NAMED = 200

/** What the sub-agent must know besides its tools: the app, the account, further actions, and those not allowed. Pure. */
export function toContext(
  { name }: ListedToolkit,
  account: string,
  others: readonly Action[],
  gated: readonly Action[],
): string {
  const app = sanitizeLine(name, 60)
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
  ].join('\n')
}

const list = (actions: readonly Action[]): string =>
  actions
    .slice(0, MAX_NAMED)
    .map((action) => action.name)
    .join(', ')
