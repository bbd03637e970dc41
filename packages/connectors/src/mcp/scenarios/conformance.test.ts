import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
)
const client = fileURLToPath(new URL('conformance-client.fixture.ts', import.meta.url))

/** The reasons are in docs/mcp.md. */
const EXCEPTIONS = [
  'elicitation-sep1034-client-defaults',
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/cross-app-access-complete-flow',
]

const SCENARIOS = [
  'initialize',
  'tools_call',
  'sse-retry',
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
  'auth/2025-03-26-oauth-metadata-backcompat',
  'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/resource-mismatch',
  'auth/offline-access-scope',
  'auth/offline-access-not-supported',
]

describe('the official conformance suite, as a client', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capstan-conformance-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const start = (...args: readonly string[]) =>
    run(process.execPath, [suite, ...args], { cwd: folder, maxBuffer: 32 * 1024 * 1024 })

  it('has no scenario that is neither run nor excused', async () => {
    const { stdout } = await start('list')
    const listed = stdout.slice(stdout.indexOf('Client scenarios')).matchAll(/^ +- (\S+)/gm)
    const found = new Set([...listed].map(([, name]) => name))
    expect(found).toEqual(new Set([...SCENARIOS, ...EXCEPTIONS]))
  }, 60_000)

  it.each(SCENARIOS)(
    'is passed: %s',
    async (scenario) => {
      const command = `${process.execPath} ${client}`
      const { stdout, stderr } = await start('client', '--command', command, '--scenario', scenario).catch(
        (error: { stdout: string; stderr: string }) => error,
      )
      const said = stdout + stderr
      expect(said).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)
    },
    60_000,
  )
})
