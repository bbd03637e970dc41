import type { ModelClient, Tool } from '@capstan/harness'
import type { Connector } from '@capstan/harness/connectors'
import { createAssistant, openAuth, startServer } from '@capstan/server'
import { onTestFinished } from 'vitest'
import { writeServerFile } from '../server-access/server-file.ts'
import { createHome } from './stored-thread.ts'

/** A server in this process that owns a data folder, as `capstan serve` does. */
export async function startRunningServer(options: {
  readonly model: ModelClient
  readonly tools?: readonly Tool[]
  readonly connectors?: readonly Connector[]
  /** Default: a new one. */
  readonly home?: string
}) {
  const { home = await createHome(), ...parts } = options
  const env = { OLLAMA_HOST: '127.0.0.1:9' }
  const assistant = await createAssistant({ folder: home, env, onProblem: () => {}, ...parts })
  const server = await startServer({ assistant, auth: openAuth({ folder: home }), port: 0 })
  const removeFile = writeServerFile(home, { url: server.url, linkUrl: server.url })
  const end = async () => {
    removeFile()
    await server.stop()
  }
  onTestFinished(end)
  return { home, assistant, server, end }
}
