import { setTimeout as pause } from 'node:timers/promises'
import { finish, handMadeModel, text } from '@capstan/harness/testing'
import { createAssistant, openAuth, startServer } from '@capstan/server'

// A server in a process of its own, to be killed: `node server-process.fixture.ts <folder> <port>`. Prints where it is.

const [folder = '', port = '0'] = process.argv.slice(2)
const model = handMadeModel(async function* () {
  for (let word = 0; word < 60; word++) {
    yield text(`word ${word} `)
    await pause(5)
  }
  yield finish
})
const assistant = await createAssistant({
  folder,
  env: { OLLAMA_HOST: '127.0.0.1:9' },
  onProblem: () => {},
  model,
})
const auth = openAuth({ folder })
const server = await startServer({ assistant, auth, port: Number(port) })
process.stdout.write(`${JSON.stringify({ url: server.url, port: server.port, token: auth.token })}\n`)
