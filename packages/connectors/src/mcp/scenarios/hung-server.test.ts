import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const PROGRAM = fileURLToPath(new URL('hung-server.fixture.ts', import.meta.url))

/** Runs the program to its end. Rejects for any exit code but 0. */
const run = (...args: readonly string[]) => promisify(execFile)(process.execPath, [PROGRAM, ...args])

const ENDED = { stdout: 'failed\nnot_connected\ndone\nclosed\n', stderr: '' }

it('a program whose MCP server is a process that never answers ends by itself and says how', async () => {
  expect(await run('stdio')).toEqual(ENDED)
})

it('a program whose MCP server takes requests and never answers ends by itself and says how', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await run('http', `http://127.0.0.1:${port}/mcp`)).toEqual(ENDED)
})
