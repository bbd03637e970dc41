import { createAssistant, openAuth, startServer } from '@capstan/server'
import { createPlannedModel } from '../planned-model.ts'
import { TEAM } from '../team.ts'
import { NOTES, TOOLKIT, TOOLS } from '../scenario.ts'
import type { NodeMessage, NodeSettings } from './node.ts'
import { createNodeTools } from './node-tools.ts'

// One node: the whole assistant as it is served, with a planned model and with tools that act outside of all nodes. It is
// killed, frozen and cut off from its database, and cannot know when.

/** Short, so that a model or an app that hangs does not hold a round up. */
const LIMITS = {
  model: { idleTimeoutMs: 700, attempts: 2 },
  tools: { timeoutMs: 2_000, graceMs: 50, stopGraceMs: 50 },
}
/** Rate limits are off, because the person is not the only one in a hurry here. */
const UNLIMITED = { burst: 1e6, perSecond: 1e6 }

const send = (message: NodeMessage): void => void process.send?.(message)

async function run(settings: NodeSettings): Promise<void> {
  const { nodeId, folder, databaseUrl: url, toolUrl, appUrl, notesUrl, maxIterations } = settings
  const app = { type: 'http', url: `${appUrl}?node=${nodeId}` } as const
  const assistant = await createAssistant({
    folder,
    ...(url === undefined ? undefined : { database: { url, nodeId } }),
    model: createPlannedModel({ instructed: 'You are the assistant the user talks to.', pauseMs: 12 }),
    tools: createNodeTools(toolUrl, nodeId),
    agents: TEAM,
    presets: [
      { slug: TOOLKIT, name: 'Stock', auth: 'none', transport: app },
      { slug: NOTES, name: 'Notes', transport: { type: 'http', url: notesUrl } },
    ],
    policy: [{ tool: TOOLS.asked, decision: 'ask' }],
    mode: 'full',
    limits: { ...LIMITS, maxIterations },
    onProblem: (problem) => void process.stderr.write(`${nodeId}: ${describe(problem)}\n`),
  })
  const auth = openAuth({ folder, ...(assistant.shared && { shared: assistant.shared }) })
  const server = await startServer({
    assistant,
    auth,
    port: 0,
    allowedOrigins: ['https://capstan.test'],
    trustedProxies: ['127.0.0.1'],
    limits: {
      requests: UNLIMITED,
      messages: UNLIMITED,
      strangers: UNLIMITED,
      openings: UNLIMITED,
      socketEvents: UNLIMITED,
    },
  })
  process.once('SIGTERM', () => void server.stop({ graceMs: 100 }).then(() => process.exit(0)))
  send({ type: 'up', url: server.url, token: auth.token })
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? String(error)) : String(error)

process.on('unhandledRejection', (error) => send({ type: 'unhandled', text: describe(error) }))
// The parent is gone, so nobody would end this process.
process.once('disconnect', () => process.exit(1))
process.once('message', (settings: NodeSettings) => {
  run(settings).catch((error: unknown) => {
    send({ type: 'failed', text: describe(error) })
    process.exitCode = 1
    process.disconnect()
  })
})
