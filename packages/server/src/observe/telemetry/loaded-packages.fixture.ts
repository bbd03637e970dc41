import { registerHooks } from 'node:module'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Prints the packages of OpenTelemetry that an assistant loads: `node loaded-packages.fixture.ts [<collector>]`.

const loaded = new Set<string>()
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/')) loaded.add(specifier)
    return next(specifier, context)
  },
})
const { createAssistant } = await import('@capstan/server')
const folder = mkdtempSync(join(tmpdir(), 'capstan-loaded-'))
const [, , collector] = process.argv
const env = { OLLAMA_HOST: '127.0.0.1:9', ...(collector && { OTEL_EXPORTER_OTLP_ENDPOINT: collector }) }
const assistant = await createAssistant({ folder, env, onProblem: () => {} })
await assistant.stop({ graceMs: 0 })
rmSync(folder, { recursive: true })
process.stdout.write(JSON.stringify([...loaded].toSorted()))
