import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { promisify } from 'node:util'

/** A program that fetches another one and runs it. */
export interface PackageRunner {
  /** Fetches without running. */
  readonly install: readonly string[]
  /** Makes the run itself use only what was fetched. */
  readonly offlineEnv: Readonly<Record<string, string>>
  /** Where packages come from, as the runner itself is set up. */
  readonly source: () => Promise<PackageSource>
  /** Equal for the same package: names the folder that holds it. */
  readonly key: string
}

/** The hosts a runner fetches from, and the variables that tell it so. */
interface PackageSource {
  readonly hosts: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** For packages that are named by a repository. */
const NPM_REPOSITORIES = ['github.com', 'codeload.github.com']
const NPM_OFFLINE = {
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
  npm_config_fund: 'false',
}

/** Recognises `npx`, `npm exec` and `uvx` with the package they name. Undefined for every other program. Pure. */
export function readPackageRunner(command: string, args: readonly string[]): PackageRunner | undefined {
  const name = basename(command)
  if (name === 'npx') return ofNpm(args, (rest) => ['--yes', ...rest])
  if (name === 'npm' && ['exec', 'x'].includes(args[0] ?? ''))
    return ofNpm(args.slice(1), (rest) => ['exec', '--yes', ...rest])
  if (name === 'uvx') return ofUv(args)
  return undefined
}

function ofNpm(
  args: readonly string[],
  toCommand: (rest: readonly string[]) => readonly string[],
): PackageRunner | undefined {
  const spec = namedPackage(args, ['-p', '--package'])
  if (spec === undefined) return undefined
  const install = toCommand([`--package=${spec}`, '--', 'node', '--version'])
  return {
    install,
    offlineEnv: NPM_OFFLINE,
    source: readNpmSource,
    key: toKey('npm', spec),
  }
}

function ofUv(args: readonly string[]): PackageRunner | undefined {
  const spec = namedPackage(args, ['--from'])
  if (spec === undefined) return undefined
  const install = ['--from', spec, 'python', '--version']
  return { install, offlineEnv: { UV_OFFLINE: '1' }, source: readUvSource, key: toKey('uv', spec) }
}

/** The package: of an option, else the first word that is none. */
function namedPackage(args: readonly string[], options: readonly string[]): string | undefined {
  for (const [index, arg] of args.entries()) {
    if (options.includes(arg)) return args[index + 1]
    const option = options.find((one) => arg.startsWith(`${one}=`))
    if (option !== undefined) return arg.slice(option.length + 1)
    if (arg === '--') return args[index + 1]
    if (!arg.startsWith('-')) return arg
  }
  return undefined
}

const toKey = (kind: string, spec: string): string =>
  `${kind}-${createHash('sha256').update(spec).digest('hex').slice(0, 16)}`

/** The registry that npm is set to use. Without an answer of npm nothing can be fetched. */
async function readNpmSource(): Promise<PackageSource> {
  const answer = await run('npm', ['config', 'get', 'registry'], { timeout: 20_000 }).catch(() => undefined)
  const registry = answer?.stdout.trim() ?? ''
  return {
    hosts: [...NPM_REPOSITORIES, ...hostOf(registry)],
    env: registry === '' ? {} : { npm_config_registry: registry },
  }
}

/** uv does not print its index, so the environment must name it. */
async function readUvSource(): Promise<PackageSource> {
  const index = process.env['UV_DEFAULT_INDEX'] ?? ''
  return { hosts: hostOf(index), env: index === '' ? {} : { UV_DEFAULT_INDEX: index } }
}

function hostOf(address: string): readonly string[] {
  const url = URL.parse(address)
  return url ? [url.port === '' ? url.hostname : `${url.hostname}:${url.port}`] : []
}

const run = promisify(execFile)
