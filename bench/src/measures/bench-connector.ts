import { succeed } from '@capstan/harness'
import type { Action, Connector } from '@capstan/harness/connectors'
import type { Connections, Visitor } from '@capstan/harness/integrations'
import type { ConnectionRow } from '@capstan/protocol'
import { INPUT_SCHEMA } from '../subject.ts'
import type { BenchApp, BenchTool } from '../subject.ts'

const ID = 'bench'

/** Apps with a sign-in that redirects the user, without a network. */
export function createBenchConnector(apps: readonly BenchApp[]): Connector {
  const toolkits = apps.map(({ slug, name, description }) => ({
    slug,
    name,
    description,
    connector: ID,
    auth: 'oauth' as const,
  }))
  const toolsOf = ({ toolkit }: ConnectionRow) => apps.find(({ slug }) => slug === toolkit)?.tools ?? []
  return {
    id: ID,
    toolkits: () => Promise.resolve(toolkits),
    beginSignIn: (_, { state }) =>
      Promise.resolve({ type: 'visit', url: `https://apps.example/authorise?state=${state}` }),
    finishSignIn: () => Promise.resolve({ status: 'active' }),
    check: ({ status }) => Promise.resolve({ status: status === 'disconnected' ? 'revoked' : status }),
    actions: (connection) => Promise.resolve(toolsOf(connection).map(toAction)),
    async execute(connection, action, { i }) {
      const tool = toolsOf(connection).find(({ name }) => name === action)
      return succeed((await tool?.run({ i: Number(i) })) ?? '')
    },
    disconnect: () => Promise.resolve(),
    onChange: () => () => {},
    close: () => Promise.resolve(),
  }
}

export const VISITOR: Visitor = {
  userId: 'local',
  browserId: 'bench',
  redirectUri: 'http://127.0.0.1/callback',
}

/** Begins a sign-in. The result is the callback that completes it. */
export async function beginConnecting(
  connections: Connections,
  toolkit: string,
): Promise<() => Promise<ConnectionRow>> {
  const pending = await connections.begin(VISITOR.userId, toolkit)
  if (!pending) throw new Error(`there is no ${toolkit}`)
  const step = await connections.signIn(pending.id, VISITOR)
  if (step.type !== 'visit') throw new Error(`the sign-in was ${step.type}`)
  const params = new URLSearchParams({
    code: 'good',
    state: new URL(step.url).searchParams.get('state') ?? '',
  })
  return async () => {
    const answer = await connections.finish(params, VISITOR)
    if (answer.type !== 'settled') throw new Error(`the callback was ${answer.type}`)
    return answer.connection
  }
}

const toAction = ({ name, description }: BenchTool): Action => ({
  name,
  description,
  input: INPUT_SCHEMA,
  effect: 'read',
  digest: name,
})
