import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the repository. */
export const ROOT = join(import.meta.dirname, '../..')
/** Holds a folder per package as it is published, and the tarballs. */
export const BUILT = join(ROOT, 'dist')

/** A package.json, the part of it that is used here. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/** A package that is published. */
export interface Published {
  /** Its folder in `packages/`. */
  readonly folder: string
  /** Dependencies that are built in: many small files, or not published themselves. */
  readonly bundles?: readonly string[]
  /** Programs of threads and child processes, by their paths in `src`. */
  readonly workers?: readonly string[]
  /** The program of a command: one more file beside those of `exports`. */
  readonly program?: string
  /** Files and folders that are published as they are: their paths in the repository, and in the built package. */
  readonly copies?: Readonly<Record<string, string>>
  /** What several entries share goes into one file: each further file costs time when it is loaded. */
  readonly isOneCore?: boolean
  /** Whether the built web app travels in it, as `dist/web`. */
  readonly hasWebApp?: boolean
}

/** Every published package, in the order of their dependencies. */
export const PUBLISHED: readonly Published[] = [
  { folder: 'protocol' },
  {
    folder: 'harness',
    isOneCore: true,
    bundles: ['ajv', 'ipaddr.js', '@ai-sdk/provider'],
    workers: [
      'documents/document-worker',
      'tool-path/compact/tokenjuice-worker',
      'tools/worker/child',
      'tools/worker/thread',
    ],
  },
  { folder: 'stores' },
  { folder: 'connectors' },
  { folder: 'sandbox' },
  { folder: 'demo' },
  { folder: 'client' },
  { folder: 'server', hasWebApp: true },
  {
    folder: 'cli',
    bundles: ['@capstan/notes-app'],
    program: 'src/main.ts',
    copies: { 'packages/cli/bin': 'bin', 'examples/notes-app/src/web/style.css': 'dist/style.css' },
  },
]

/** Reads the package.json of a folder. */
export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Where a package is in the repository. */
export const sourceOf = ({ folder }: Published): string => join(ROOT, 'packages', folder)
/** Where a package is built. What is in there is what is published. */
export const builtOf = ({ folder }: Published): string => join(BUILT, folder)

/** The name of the package that an import names. */
export const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** The public entries of a package: the path in `exports`, and the source. Data such as `package.json` is none. */
export const entriesOf = (manifest: Manifest): readonly (readonly [path: string, source: string])[] =>
  Object.entries(manifest.exports ?? {}).filter(([, source]) => source.endsWith('.ts'))

/** The name of the built file of an entry: `index` for `.`, `testing/suites` for `./testing/suites`. */
export const fileOf = (path: string): string => (path === '.' ? 'index' : path.slice(2).replaceAll('/', '-'))

/** What a built package may import, and in which version: what is named here and not built in. */
export function dependenciesOf(published: Published): Readonly<Record<string, string>> {
  const { bundles = [] } = published
  const own = readManifest(sourceOf(published))
  const builtIn = bundles
    .filter((name) => name.startsWith('@capstan/'))
    .map((name) => readManifest(join(ROOT, 'node_modules', name)).dependencies)
  const all = Object.assign({}, ...builtIn, own.dependencies, own.peerDependencies) as Record<string, string>
  return Object.fromEntries(Object.entries(all).filter(([name]) => !bundles.includes(name)))
}
