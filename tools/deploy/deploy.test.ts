import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8')

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  // oxlint-disable-next-line typescript/no-explicit-any -- any shape of Kubernetes
  readonly spec?: any
}

const parse = (path: string): Manifest[] =>
  parseAllDocuments(read(path), { merge: true }).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() as Manifest
  })

const FILES = globSync('**/*.yaml', { cwd: join(root, 'deploy') })

describe('the files to deploy', () => {
  it.each(FILES)('%s is YAML', (path) => expect(parse(path).length).toBeGreaterThan(0))

  it.each([...FILES.filter((path) => !path.startsWith('alerts')), 'docker/Dockerfile', 'docker/Caddyfile'])(
    '%s says at its top what was not tried',
    (path) => expect(read(path)).toMatch(/^# NOT (BUILT|RUN|APPLIED) YET/),
  )
})

describe('the manifests of Kubernetes', () => {
  const deployments = ['web', 'worker'].flatMap((role) => parse(`kubernetes/${role}.yaml`))

  it.each(['capstan-web', 'capstan-worker'])('%s runs confined, with probes and a budget', (name) => {
    const [deployment] = deployments.filter(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === name,
    )
    const pod = deployment!.spec.template.spec
    const [container] = pod.containers
    expect(pod.securityContext.runAsNonRoot).toBe(true)
    expect(container.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    })
    for (const probe of ['startupProbe', 'livenessProbe'])
      expect(container[probe].httpGet.path).toBe('/api/health')
    expect(container.readinessProbe.httpGet.path).toBe('/api/ready')
    expect(deployments.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toContain(
      `PodDisruptionBudget ${name}`,
    )
  })

  it('are all listed, or say why not', () => {
    const listed = read('kubernetes/kustomization.yaml')
    for (const path of FILES.filter(
      (file) => file.startsWith('kubernetes') && !file.includes('kustomization'),
    ))
      expect(listed).toContain(path.replace('kubernetes/', '- '))
  })
})

describe('the compose file', () => {
  const services = (parse('docker/compose.yaml')[0] as unknown as { services: Record<string, any> }).services // oxlint-disable-line typescript/no-explicit-any

  it('has three nodes with names of their own and secrets from files', () => {
    const nodes = Object.entries(services).filter(([name]) => name.startsWith('node-'))
    expect(nodes).toHaveLength(3)
    for (const [name, node] of nodes) {
      expect(node.environment).toMatchObject({
        CAPSTAN_NODE_ID: name,
        DATABASE_URL_FILE: '/run/secrets/database-url',
        CAPSTAN_SECRET_KEY_FILE: '/run/secrets/secret-key',
      })
      expect(node.read_only).toBe(true)
      expect(read('docker/Caddyfile')).toContain(`${name}:4100`)
    }
  })
})

describe('the entrypoint of the image', () => {
  function run(env: Record<string, string>): { status: number | null; out: string; err: string } {
    const app = mkdtempSync(join(tmpdir(), 'capstan-entrypoint-'))
    onTestFinished(() => rmSync(app, { recursive: true }))
    mkdirSync(join(app, 'packages/cli/bin'), { recursive: true })
    writeFileSync(
      join(app, 'packages/cli/bin/capstan.mjs'),
      'console.log(JSON.stringify([process.env.DATABASE_URL, process.env.DATABASE_URL_FILE, process.argv.slice(2)]))',
    )
    writeFileSync(join(app, 'url'), "postgres://a:b'c $d@host/db\n")
    const { status, stdout, stderr } = spawnSync(
      'sh',
      [join(root, 'deploy/docker/entrypoint.sh'), 'serve', '--log', 'a b'],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], CAPSTAN_APP: app, ...toPaths(env, app) } },
    )
    return { status, out: stdout.trim(), err: stderr.trim() }
  }
  const toPaths = (env: Record<string, string>, app: string): Record<string, string> =>
    Object.fromEntries(Object.entries(env).map(([name, file]) => [name, join(app, file)]))

  it('reads a secret from its file, and passes the arguments on', () => {
    expect(JSON.parse(run({ DATABASE_URL_FILE: 'url' }).out)).toEqual([
      "postgres://a:b'c $d@host/db",
      null,
      ['serve', '--log', 'a b'],
    ])
  })

  it('does not start without a file that it names', () => {
    const { status, err } = run({ DATABASE_URL_FILE: 'missing' })
    expect(status).toBe(1)
    expect(err).toContain('DATABASE_URL_FILE')
  })
})
