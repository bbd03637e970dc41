import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const SCRIPT = new URL('./loaded-packages.fixture.ts', import.meta.url).pathname

async function load(...args: string[]): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, ...args])
  return JSON.parse(stdout) as string[]
}

it('an assistant loads the SDK of OpenTelemetry only when a collector is configured', async () => {
  expect(await load()).toEqual(['@opentelemetry/api'])
  expect(await load('http://127.0.0.1:9')).toContain('@opentelemetry/sdk-trace')
}, 60_000)
