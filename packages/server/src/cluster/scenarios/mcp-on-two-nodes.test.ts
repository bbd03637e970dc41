import { createMcpConnector } from '@capstan/connectors'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startNotesService } from '../../../../connectors/src/mcp/scenarios/notes-service.fixture.ts'
import { usePostgres } from '../../../../stores/src/postgres/fixtures/postgres-server.fixture.ts'
import type { Node } from './two-nodes.fixture.ts'
import { USER, VISITOR, heard, isStatus, known, openNodes } from './two-nodes.fixture.ts'

const postgres = usePostgres()

async function start() {
  const service = await startNotesService({ isGuarded: true })
  onTestFinished(() => service.stop())
  const nodes = await openNodes(postgres, ({ connections: { vault }, locks }) => [
    createMcpConnector({
      servers: [{ slug: 'notes', transport: { type: 'http', url: service.url } }],
      vault,
      locks: locks!,
    }),
  ])
  for (const { integrations } of [nodes.a, nodes.b]) await integrations.prewarm(USER)
  /** Begins on one node; the browser comes back to the other. */
  async function signIn(id: string): Promise<void> {
    const step = await nodes.a.integrations.connections.signIn(id, VISITOR)
    if (step.type !== 'visit') throw new Error(step.type)
    const params = await service.visit(step.url, 'allow')
    params.set('state', new URL(step.url).searchParams.get('state')!)
    const answer = await nodes.b.integrations.connections.finish(params, VISITOR)
    expect(answer).toMatchObject({ type: 'settled', connection: { status: 'active' } })
  }
  return { ...nodes, service, signIn }
}

const listActions = async ({ integrations }: Node) => (await integrations.actions.list(USER, 'notes')).type

it('a sign-in that is begun on one node and ends on the other is good on both', async () => {
  const { a, b, signIn } = await start()
  const { id } = (await a.integrations.connections.begin(USER, 'notes'))!
  await signIn(id)
  await vi.waitFor(() =>
    expect(known(a, 'notes')?.connections).toMatchObject([{ id, label: 'ada@notes.example' }]),
  )
  expect([await listActions(a), await listActions(b)]).toEqual(['listed', 'listed'])
})

it('a disconnect on one node ends the session of the other', async () => {
  const { a, b, service, signIn } = await start()
  const { id } = (await a.integrations.connections.begin(USER, 'notes'))!
  await signIn(id)
  await heard(a, isStatus('active'))
  await listActions(a)
  await listActions(b)
  await a.integrations.connections.disconnect(USER, id)
  await heard(b, isStatus('disconnected'))
  // One of each node.
  await vi.waitFor(() => expect(service.seen.filter((line) => line === 'DELETE /mcp')).toHaveLength(2))
  expect([await listActions(a), await listActions(b)]).toEqual(['not-connected', 'not-connected'])
})

it('an authorisation that has ended leaves an expired connection on both nodes', async () => {
  const { a, b, service, signIn } = await start()
  const { id } = (await a.integrations.connections.begin(USER, 'notes'))!
  await signIn(id)
  await heard(a, isStatus('active'))
  const { tokens } = (await a.store.connections.vault.read(id)) as { tokens: { refresh: string } }
  await service.revoke(tokens.refresh)
  expect(await b.integrations.connections.refresh(id)).toMatchObject({ status: 'expired' })
  await heard(a, isStatus('expired'))
  expect(known(a, 'notes')).toMatchObject({
    connections: [],
    standing: { status: 'expired', reason: expect.stringContaining('Connect the app again') },
  })
})
