import { createMemoryConnectionStore } from '@capstan/harness/stores'
import type { ToolOutcome } from '@capstan/harness'
import type { JsonObject } from '@capstan/harness/seams'
import type { ConnectionRow } from '@capstan/protocol'
import type { McpConnector } from '../mcp-connector.ts'
import { createMcpConnector } from '../mcp-connector.ts'

/**
 * The client under test of the official conformance suite, which starts a server and runs this file with its address:
 * signs in where the server asks for it, lists what there is and calls all of it. A person who is sent to a page says
 * yes there. Where an outcome says that the sign-in does not reach, the person connects again, once.
 */
const REDIRECT_URI = 'http://127.0.0.1:8787/oauth/callback'

const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Record<
  string,
  string | undefined
>
const url = process.argv.at(-1)!

const connection: ConnectionRow = {
  id: 'connection_1',
  userId: 'user_1',
  connector: 'mcp',
  toolkit: 'conformance',
  status: 'active',
  label: '',
  isDefault: true,
  createdAt: 0,
  updatedAt: 0,
}

const connector = createMcpConnector({
  servers: [
    {
      slug: 'conformance',
      transport: { type: 'http', url },
      ...(context['client_id'] === undefined
        ? undefined
        : {
            client: {
              id: context['client_id'],
              ...(context['client_secret'] === undefined ? undefined : { secret: context['client_secret'] }),
            },
          }),
    },
  ],
  vault: createMemoryConnectionStore().vault,
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
})

async function connect(to: McpConnector): Promise<void> {
  const state = `state-${Date.now()}-${process.pid}`
  const step = await to.beginSignIn(connection, { state, redirectUri: REDIRECT_URI })
  if (step.type === 'settled') return settle(step.status, step.reason)
  const response = await fetch(step.url, { redirect: 'manual' })
  const back = new URL(response.headers.get('location') ?? '', step.url)
  if (back.searchParams.get('state') !== state) throw new Error('the state did not come back')
  back.searchParams.delete('state')
  const { status, reason } = await to.finishSignIn(connection, {
    params: back.searchParams,
    redirectUri: REDIRECT_URI,
  })
  settle(status, reason)
}

function settle(status: string, reason: string | undefined): void {
  if (status !== 'active') throw new Error(`${status}: ${reason}`)
}

const call = (action: string, args: JsonObject): Promise<ToolOutcome> =>
  connector.execute(connection, action, args, {
    signal: AbortSignal.timeout(20_000),
    idempotencyKey: 'run_1/call_1',
  })

/** Something for each parameter that has to be there. */
function argsFor(schema: JsonObject): JsonObject {
  const properties = (schema['properties'] ?? {}) as Record<string, { type?: string }>
  const values: Record<string, string | number | boolean> = { number: 5, integer: 3, boolean: true }
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [name, values[type ?? ''] ?? 'text']),
  )
}

try {
  await connect(connector)
  const actions = await connector.actions(connection).catch(async (error: unknown) => {
    if (!String(error).includes('Insufficient scope')) throw error
    await connect(connector)
    return connector.actions(connection)
  })
  for (const { name, input } of actions) {
    let outcome = await call(name, argsFor(input))
    if (outcome.httpStatus === 403) {
      await connect(connector)
      outcome = await call(name, argsFor(input))
    }
    console.error(`${scenario}: ${name}: ${outcome.ok ? 'ok' : 'failed'}: ${outcome.text.slice(0, 200)}`)
    if (outcome.httpStatus !== undefined) process.exitCode = 1
  }
} catch (error) {
  console.error(`${scenario}: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await connector.close()
}
