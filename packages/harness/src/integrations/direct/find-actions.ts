import type { Action } from '../../ports/connector.ts'
import { sanitizeLine } from '../../text/untrusted-text.ts'
import type { Tool, ToolContext } from '../../turn/tool/tool.ts'
import { defineTool } from '../../turn/tool/tool.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { succeed } from '../../turn/tool/tool-outcome.ts'
import { splitByScope } from '../agent/action-tools.ts'
import type { OpenApp } from '../agent/open-app.ts'
import { orderActions } from '../agent/rank-actions.ts'
import { toNotes } from '../agent/to-context.ts'
import { nameApp } from '../directory/snapshot.ts'
import type { DirectorySnapshot } from '../directory/snapshot.ts'
import { CALL, FIND } from '../tool-names.ts'
import type { DirectApps } from './direct-apps.ts'

/** Characters of definitions in one answer. The other actions are listed by name. */
const MAX_DEFINITION_CHARS = 10_000
const MAX_DESCRIPTION_CHARS = 600

/** Lists the actions of an app that fit a task, with their arguments. */
export function createFindActions(apps: DirectApps, last: () => DirectorySnapshot | undefined): Tool {
  return defineTool({
    name: FIND,
    description: `Finds actions of a connected app and their arguments, for ${CALL}.`,
    effect: 'read',
    // The descriptions are taken note of as those of tools are; see `DirectApps`.
    returns: 'described',
    destinations: [],
    resultsFrom: 'app',
    exact: true,
    input: FIND_INPUT,
    app: ({ toolkit }) => nameApp(toolkit, last()),
    label: ({ query, toolkit }) => ({
      label: `Find actions${toLabelEnd(nameApp(toolkit, last())?.name)}`,
      ...(typeof query === 'string' ? { detail: query } : undefined),
    }),
    async run(args, { run, signal }: ToolContext): Promise<ToolOutcome> {
      const { query = '', ...asked } = args as { toolkit: string; query?: string; account?: string }
      const app = await apps.open(asked, run, { signal, isFresh: true })
      // It says what to do next, in the harness's own words.
      return 'refusal' in app ? { ...app.refusal, lead: app.refusal.text, text: '' } : toAnswer(app, query)
    },
  })
}

// A constant: a validator is compiled once per schema object.
const FIND_INPUT = {
  type: 'object',
  properties: { toolkit: { type: 'string' }, query: { type: 'string' }, account: { type: 'string' } },
  required: ['toolkit', 'query'],
}

const toLabelEnd = (name: string | undefined): string => (name === undefined ? '' : ` of ${name}`)

function toAnswer({ toolkit, connection, connector, actions, scopes }: OpenApp, query: string): ToolOutcome {
  const { allowed, gated } = splitByScope(actions, scopes())
  const { defined, others } = define(orderActions(allowed, query))
  const name = sanitizeLine(toolkit.name, 60)
  const account = connection.label === '' ? '' : `, account ${sanitizeLine(connection.label, 120)}`
  const lead = `Actions of ${name}${account}, the best first. Call them with ${CALL}, toolkit "${toolkit.slug}".\n`
  const notes = toNotes(name, {
    others,
    gated,
    instructions: connector.instructions?.(connection),
    via: CALL,
  })
  return { ...succeed([...defined, ...notes].join('\n')), lead }
}

/** As many definitions as fit, at least one. */
function define(order: readonly Action[]): { defined: readonly string[]; others: readonly Action[] } {
  const defined: string[] = []
  let chars = 0
  for (const { name, effect, description, input } of order) {
    const text = `${name} (${effect}): ${sanitizeLine(description, MAX_DESCRIPTION_CHARS)}\n  arguments: ${JSON.stringify(input)}`
    chars += text.length
    if (defined.length > 0 && chars > MAX_DEFINITION_CHARS) break
    defined.push(text)
  }
  return { defined, others: order.slice(defined.length) }
}
