import type { Action, Connector } from '@capstan/harness/connectors'
import { succeed } from '@capstan/harness'
import type { ToolkitRow } from '@capstan/protocol'

export interface InProcessApps {
  readonly connector: Connector
  /** What was done, as `toolkit:title`. */
  readonly done: readonly string[]
  /** How often the connector was asked which toolkits there are. */
  readonly listings: number
}

export interface InProcessAppsOptions {
  readonly slugs: readonly string[]
  readonly actionsPerApp?: number
  /** Awaited at the beginning of everything a network would take time for. */
  readonly pause?: () => Promise<void> | undefined
}

/** Apps behind a sign-in that sends the person away and takes them back, without a network. */
export function createInProcessApps(options: InProcessAppsOptions): InProcessApps {
  const { slugs, actionsPerApp = 1, pause = () => undefined } = options
  const done: string[] = []
  let listings = 0
  const rows = slugs.map((slug): ToolkitRow => ({
    slug,
    name: toName(slug),
    description: `What people keep in ${toName(slug)}.`,
    connector: 'in-process',
    auth: 'oauth',
  }))
  const actions = Array.from({ length: actionsPerApp }, (_, n) => toAction(n))
  const connector: Connector = {
    id: 'in-process',
    async toolkits() {
      listings++
      await pause()
      return rows
    },
    async beginSignIn(_, { state }) {
      await pause()
      return { type: 'visit', url: `https://apps.example/authorise?state=${state}` }
    },
    async finishSignIn(_, { params }) {
      await pause()
      return params.get('code') === GOOD_CODE
        ? { status: 'active', label: 'ada@example.org' }
        : { status: 'failed', reason: 'You said no.' }
    },
    check: async ({ status }) => ({ status: status === 'disconnected' ? 'revoked' : status }),
    async actions() {
      await pause()
      return actions
    },
    async execute({ toolkit }, _name, args) {
      await pause()
      done.push(`${toolkit}:${args['title'] as string}`)
      return succeed('created')
    },
    async disconnect() {
      await pause()
    },
    onChange: () => () => {},
    close: async () => {},
  }
  return {
    connector,
    done,
    get listings() {
      return listings
    },
  }
}

/** The code with which the service sends back whoever allowed it. */
export const GOOD_CODE = 'good'

export const toName = (slug: string): string => slug.charAt(0).toUpperCase() + slug.slice(1)

const toAction = (n: number): Action => ({
  name: n === 0 ? 'create_page' : `do_thing_${n}`,
  description: 'Creates a page under a title, in the place that it is given, and says which page it became.',
  input: {
    type: 'object',
    properties: {
      title: { type: 'string', description: 'What stands above it.' },
      place: { type: 'string', description: 'Where it goes; at the top when nothing is said.' },
    },
    required: ['title'],
  },
  effect: 'write',
  digest: `digest-${n}`,
})
