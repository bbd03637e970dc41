#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { startNotesApp } from './start-notes-app.ts'

const HELP = `Notes: a small app with pages, for trying things out on your own machine.

Usage: node examples/notes-app/src/main.ts [--port 4444] [--folder ./notes]

  --port     where to listen on 127.0.0.1; any free port if left out
  --folder   keep pages and registrations there; forgotten at the end if left out
  --help     this text
`

const { values } = parseArgs({
  options: { port: { type: 'string' }, folder: { type: 'string' }, help: { type: 'boolean' } },
})

if (values.help) {
  process.stdout.write(HELP)
} else {
  const port = Number(values.port ?? 0)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    process.stderr.write('--port is a number from 0 to 65535.\n')
    process.exit(2)
  }
  const app = await startNotesApp({
    port,
    ...(values.folder === undefined ? {} : { folder: values.folder }),
    log: (line) => process.stderr.write(`${line}\n`),
  }).catch((error: unknown) => {
    process.stderr.write(`Notes cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })
  process.stdout.write(`Notes      ${app.url}\nMCP        ${app.mcpUrl}\n`)
  const stop = (): void => void app.close()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}
