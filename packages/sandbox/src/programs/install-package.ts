import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sanitizeLine } from '@capstan/harness/connectors'
import type { ConfineRequest } from '@capstan/harness/sandbox'
import { SandboxError } from '@capstan/harness/sandbox'
import type { Build } from '../bubblewrap-sandbox.ts'
import { realPath } from '../paths.ts'
import { runToEnd } from '../run-to-end.ts'
import type { PackageRunner } from './package-runner.ts'

const INSTALLED = '.installed'
const TIMEOUT_MS = 5 * 60_000

/**
 * Fetches the package of a runner once, confined: it sees its own folder, the registry and no variable of the server.
 * Scripts of the package run here too. Rejects with a `SandboxError` that says why.
 */
export async function installPackage(
  request: ConfineRequest,
  runner: PackageRunner,
  { home, build }: { readonly home: string; readonly build: Build },
): Promise<void> {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  // With any network it fetches by itself.
  if (request.profile.network === 'any' || existsSync(join(home, INSTALLED))) return
  const { hosts, env } = await runner.source()
  // A registry inside of a company often has a certificate of its own.
  const certificates = realPath(process.env['NODE_EXTRA_CA_CERTS'] || '/nowhere')
  const start = await build(
    {
      ...request,
      args: runner.install,
      profile: {
        // Where the runner itself lies. The folders of the server are not needed to fetch.
        folders: [
          ...request.profile.folders.filter(({ access }) => access === 'read'),
          ...(certificates === undefined ? [] : [{ path: certificates, access: 'read' as const }]),
        ],
        network: hosts,
        env: {
          ...env,
          ...(certificates === undefined ? undefined : { NODE_EXTRA_CA_CERTS: certificates }),
        },
      },
    },
    { home, allowsPrivate: true },
  )
  const { exitCode, printed } = await runToEnd(start, {
    timeoutMs: TIMEOUT_MS,
    ...(request.signal ? { signal: request.signal } : undefined),
  })
  if (exitCode !== 0) {
    const why = start.explain(printed) ?? sanitizeLine(printed.slice(-300), 300)
    throw new SandboxError('install', `The package could not be fetched. ${why}`.trim())
  }
  writeFileSync(join(home, INSTALLED), '')
}
