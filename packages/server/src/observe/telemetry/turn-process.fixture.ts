import { calls, ScriptedModel, stalls } from '@capstan/harness/testing'
import { createAssistant } from '@capstan/server'
import { CLERK, look } from './clerk.fixture.ts'

// A turn in a process of its own, to be killed: `node turn-process.fixture.ts <folder> <collector>`. Its sub-agent looks
// once and then waits for a model that never answers. Prints the id of the run.

const [folder = '', collector = ''] = process.argv.slice(2)
const assistant = await createAssistant({
  folder,
  env: { OLLAMA_HOST: '127.0.0.1:9', OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_BSP_SCHEDULE_DELAY: '20' },
  model: new ScriptedModel(calls('delegate_to_clerk', { prompt: 'File it.' }), calls('look'), stalls()),
  agents: [CLERK],
  tools: [look],
})
const threads = assistant.threadsOf('local')
const session = await threads.open((await threads.create()).id)
const { runId } = await session.submit('File the letter.')
process.stdout.write(`${runId}\n`)
