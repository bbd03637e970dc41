// A checkpoint decides what a turn says when a limit is reached. This one lists what was done, without another model call,
// and gives a token with which the person can continue.
import { randomUUID } from 'node:crypto'
import { createSession, defineTool } from '@capstan/harness'
import type { CheckpointStrategy } from '@capstan/harness/seams'
import { ScriptedModel, calls, says } from '@capstan/harness/testing'
import { z } from 'zod'

const listWork: CheckpointStrategy = {
  async atCap({ cap, request, digest }) {
    const done = digest.map((line) => `- ${line}`).join('\n')
    const text = `I stopped after ${cap.limit} ${cap.kind}. You asked: ${request}\nDone so far:\n${done}`
    return { type: 'pause', text, resumeToken: randomUUID() }
  },
}

const water = defineTool({
  name: 'water',
  description: 'Waters a plant.',
  input: z.object({ plant: z.string() }),
  effect: 'write',
  run: ({ plant }) => `${plant} has water.`,
})

const model = new ScriptedModel(
  calls('water', { plant: 'fern' }),
  calls('water', { plant: 'ivy' }),
  calls('water', { plant: 'moss' }),
  says('All three plants have water.'),
)
const session = createSession({
  model,
  tools: [water],
  checkpoint: listWork,
  limits: { maxIterations: 2 },
  safety: { mode: 'full' },
})
const outcome = await session.send('Water the fern, the ivy and the moss.')
console.log(outcome.text)
if (outcome.type === 'capped' && outcome.resumeToken) {
  const submission = await session.continue(outcome.resumeToken)
  console.log((await submission.outcome).text)
}
