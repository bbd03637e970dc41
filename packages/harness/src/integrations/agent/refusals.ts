import type { Action } from '../../ports/connector.ts'
import { sanitizeLine } from '../../text/untrusted-text.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import { CONNECT, FIND } from '../tool-names.ts'
import { listAccounts } from '../connections/accounts.ts'
import type { DirectorySnapshot, ListedToolkit } from '../directory/snapshot.ts'
import { isConnected } from '../directory/snapshot.ts'
import { findAction } from '../directory/toolkit-slug.ts'

/** The refusal for an unknown account; it lists the known ones. */
export function unknownAccount({ name, connections }: ListedToolkit, asked = ''): ToolOutcome {
  const account = quote(asked, 80)
  return fail(
    `${sanitizeLine(name, 60)} has no account ${account} that is connected. It has: ${listAccounts(connections)}.`,
    { errorCode: 'not_found' },
  )
}

/** The refusal for an app that is not connected; it says how to connect it, and what is connected instead. */
export function notConnected(toolkit: ListedToolkit, snapshot?: DirectorySnapshot): ToolOutcome {
  const refusal = explainStanding(toolkit)
  return snapshot ? { ...refusal, text: `${refusal.text} ${listConnected(snapshot)}` } : refusal
}

const listConnected = ({ toolkits }: DirectorySnapshot): string => {
  const slugs = toolkits.filter(isConnected).map((one) => one.slug)
  return `Connected: ${slugs.slice(0, MAX_LISTED).join(', ') || 'none'}.`
}

const MAX_LISTED = 50

/** What a service says, within a sentence of the harness: it cannot be read as the harness's own words. */
const quote = (said: string, maxChars: number): string => JSON.stringify(sanitizeLine(said, maxChars))

function explainStanding({ name, slug, standing }: ListedToolkit): ToolOutcome {
  const app = sanitizeLine(name, 60)
  const why = standing?.reason === undefined ? '' : ` What is known: ${quote(standing.reason, 240)}.`
  const connect = `Call ${CONNECT} with toolkit "${slug}" if the task needs it.`
  switch (standing?.status) {
    case 'pending':
      return fail(
        `${app} is being connected: the user has not finished signing in. Call ${CONNECT} with toolkit "${slug}" ` +
          'only if they cannot find where.',
        { errorCode: 'not_connected' },
      )
    case 'expired':
    case 'revoked':
      return fail(`The sign-in of ${app} is no longer good.${why} ${connect}`, {
        errorCode: 'bad_credentials',
      })
    case 'failed':
      return fail(`${app} could not be connected.${why} ${connect}`, { errorCode: 'not_connected' })
    case 'disconnected':
      return fail(`${app} is not connected.${why}`, { errorCode: 'not_connected' })
    case 'active':
    case undefined:
      return fail(`${app} is not connected. ${connect}`, { errorCode: 'not_connected' })
  }
}

/** The failure for an unknown app; it lists the known ones. */
export function unknownToolkit(slug: string, snapshot: DirectorySnapshot): ToolOutcome {
  const others = snapshot.toolkits.filter((one) => !isConnected(one)).map((one) => one.slug)
  return fail(
    `There is no app "${slug}". ${listConnected(snapshot)} ` +
      `Can be connected with ${CONNECT}: ${others.slice(0, MAX_LISTED).join(', ') || 'none'}.`,
    { errorCode: 'not_found' },
  )
}

/** The failure of an app that cannot be reached. */
export function notReachable(name: string, error: unknown): ToolOutcome {
  const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
  return fail(
    `${name} could not be asked what it can do.`,
    timedOut ? { timedOut } : { errorCode: 'service_unavailable' },
  )
}

/** The refusal for an action that the user's settings switch off: what it is, why it is off, and where to allow it. */
export function notAllowed(
  { name: action, effect, description }: Action,
  { name, slug }: Pick<ListedToolkit, 'name' | 'slug'>,
): ToolOutcome {
  const app = sanitizeLine(name, 60)
  return fail(
    `"${action}" was not run. It is one of the ${effect} actions of ${app}${description === '' ? '' : `, described as ${quote(description, 200)}`}, ` +
      `and the user does not allow ${effect} actions there. Only they can: under Connections, ${app}. Tell them so.`,
    { deniedBy: 'policy', remedy: { kind: 'allow-actions', toolkit: slug, name: app, effect, action } },
  )
}

/** The failure for an action that an app does not have; it lists the ones that come near. */
export function unknownAction(
  asked: string,
  { toolkit, slug, actions }: { toolkit: ListedToolkit; slug: string; actions: readonly Action[] },
): ToolOutcome {
  const found = findAction(actions, asked, slug)
  const near = 'candidates' in found ? found.candidates : []
  return fail(
    `${sanitizeLine(toolkit.name, 60)} has no action ${quote(asked, 80)}. Nothing was done. ` +
      `${near.length > 0 ? `Near: ${near.join(', ')}. ` : ''}${FIND} lists what there is.`,
    { errorCode: 'not_found' },
  )
}

/** The failure when what is known of the user's apps cannot be read. */
export const notReadable = (): ToolOutcome =>
  fail('What is known of the app could not be read. Nothing was done.', { errorCode: 'service_unavailable' })
