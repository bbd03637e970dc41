import { hash } from 'node:crypto'
import type { ConnectionRow, Origin } from '@capstan/protocol'
import type { EventBus } from '../ports/event-bus.ts'
import { sanitizeLine } from '../text/untrusted-text.ts'
import type { Tool, ToolContext } from '../turn/tool/tool.ts'
import { defineTool } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import { CONNECT, DELEGATE, FIND } from './tool-names.ts'
import type { Connections } from './connections/connections.ts'
import { isLost } from './connections/connection-status.ts'
import type { Directory } from './directory/directory.ts'
import type { ListedToolkit } from './directory/snapshot.ts'
import { isConnected, nameApp } from './directory/snapshot.ts'
import { toSlug } from './directory/toolkit-slug.ts'

/** Origins where a person can be shown a card. */
const ATTENDED: ReadonlySet<Origin> = new Set(['web', 'cli'])

/** How long the call itself waits where a turn cannot be parked. */
const LONGEST_WAIT_MS = 120_000

/**
 * Asks the person to connect an app, parks the turn, and resumes it when the app is connected. When the call is run again
 * after the wait, it finds the same connection.
 */
export function createConnectApp(options: {
  readonly userId: string
  readonly directory: Directory
  readonly connections: Connections
  readonly bus: EventBus
}): Tool {
  const { userId, directory, connections, bus } = options
  return defineTool({
    name: CONNECT,
    description:
      'Asks the user, with a card, to connect an app that a task needs, and waits until they have.',
    effect: 'read',
    returns: [],
    destinations: [],
    alone: true,
    timeoutMs: false,
    input: {
      type: 'object',
      properties: { toolkit: { type: 'string' } },
      required: ['toolkit'],
      additionalProperties: false,
    },
    app: ({ toolkit }) => nameApp(toolkit, directory.last(userId)),
    label({ toolkit }) {
      const app = nameApp(toolkit, directory.last(userId))
      if (app) return { label: `Connect ${app.name}` }
      return { label: 'Connect an app', ...(typeof toolkit === 'string' ? { detail: toolkit } : {}) }
    },
    async run(args, context: ToolContext) {
      const slug = toSlug((args as { toolkit: string }).toolkit)
      const { toolkits, toolkit } = await findApp(slug)
      if (!toolkit)
        return unknownApp(
          slug,
          toolkits.map((one) => one.slug),
        )
      const name = sanitizeLine(toolkit.name, 60)
      // A call that is run again asks for the same connection.
      const own = `connection_${hash('sha256', context.idempotencyKey).slice(0, 24)}`
      const asked = context.run.archive?.connectionAskedFor(context.run.runId, context.callId)
      const begun = await connections.get(userId, asked ?? own)
      if (isConnected(toolkit) && (!begun || begun.status === 'pending')) {
        // The app was connected elsewhere: the connection that this call began is not needed.
        if (begun?.id === own) await connections.disconnect(userId, own)
        return connected(name, slug)
      }
      if (begun && begun.status !== 'pending') return settled(begun, name, slug)
      if (!ATTENDED.has(context.run.origin)) return nobodyThere(name)
      const connection =
        begun ??
        (await connections.begin(userId, slug, (await findOpen(toolkit, userId, connections)) ?? own))
      if (!connection)
        return unknownApp(
          slug,
          toolkits.map((one) => one.slug),
        )
      if (!begun) {
        await context.run.report({
          type: 'connection-request',
          iteration: 0,
          callId: context.callId,
          connectionId: connection.id,
          toolkit: slug,
          name,
        })
      }
      if (context.park) await context.park({ kind: 'sign-in', id: connection.id })
      const now = await waitFor(connection, bus, context)
      // The app was connected in another way: the connection that this call began is not needed.
      if (now.id !== own && connection.id === own) await connections.disconnect(userId, own)
      return settled(now, name, slug)
    },
  })

  /** The app as it is now. The service is asked once when it does not seem to be connected. */
  async function findApp(slug: string) {
    directory.invalidate(userId)
    const { toolkits } = await directory.read(userId)
    const listed = toolkits.find((one) => one.slug === slug)
    if (!listed || isConnected(listed) || !(await connections.findLive(userId, listed)))
      return { toolkits, toolkit: listed }
    const now = await directory.read(userId)
    return { toolkits: now.toolkits, toolkit: now.toolkits.find((one) => one.slug === slug) }
  }
}

/**
 * The connection to sign in to instead of a new one: a sign-in that is open already, in another conversation or tab, or
 * else the account whose sign-in was lost.
 */
async function findOpen(
  { slug, connector }: ListedToolkit,
  userId: string,
  connections: Connections,
): Promise<string | undefined> {
  const own = (await connections.list(userId)).filter(
    (row) => row.toolkit === slug && row.connector === connector,
  )
  const lost = own.filter(isLost)
  const found =
    own.findLast(({ status }) => status === 'pending') ??
    lost.find(({ isDefault }) => isDefault) ??
    lost.at(-1)
  return found?.id
}

/** Waits until the sign-in is settled, or the app is connected in another way. */
function waitFor(
  connection: ConnectionRow,
  bus: EventBus,
  { signal, run }: ToolContext,
): Promise<ConnectionRow> {
  return new Promise((resolve) => {
    const stop = bus.subscribe((event) => {
      if (event.type !== 'connections-changed') return
      const { connection: changed } = event
      const isSameApp = changed.userId === connection.userId && changed.toolkit === connection.toolkit
      if (
        changed.id === connection.id ? changed.status !== 'pending' : isSameApp && changed.status === 'active'
      )
        done(changed)
    })
    const cancel = run.clock.after(LONGEST_WAIT_MS, () => done(connection))
    const onAbort = () => done(connection)
    function done(now: ConnectionRow): void {
      stop()
      cancel()
      signal.removeEventListener('abort', onAbort)
      resolve(now)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
}

const connected = (name: string, slug: string): ToolOutcome =>
  succeed(`${name} is connected. Use ${FIND} or ${DELEGATE} with toolkit "${slug}".`)

function settled({ status, reason, reasonCode }: ConnectionRow, name: string, slug: string): ToolOutcome {
  switch (status) {
    case 'active':
      return connected(name, slug)
    case 'pending':
      return succeed(
        `${name} is not connected yet: the user has not finished signing in. Do not ask again; tell them that it ` +
          'goes on when they have.',
      )
    case 'disconnected':
      return fail(`The user does not want to connect ${name}.`, { deniedBy: 'user' })
    case 'expired':
    case 'failed':
    case 'revoked':
      return fail(
        `${name} could not be connected. ${reason ?? ''} Tell the user; they can try again.`,
        reasonCode === 'declined' ? { deniedBy: 'user' } : { errorCode: 'not_connected' },
      )
  }
}

const nobodyThere = (name: string): ToolOutcome =>
  fail(`${name} is not connected, and there is nobody here who could connect it.`, {
    errorCode: 'not_connected',
  })

function unknownApp(slug: string, known: readonly string[]): ToolOutcome {
  const list =
    known.length > 0 ? `There are: ${known.slice(0, 50).join(', ')}.` : 'None can be connected here.'
  return fail(`There is no app "${slug}". ${list}`, { errorCode: 'not_found' })
}
