import type { Manifest, Published } from './published.ts'
import { ROOT, dependenciesOf, entriesOf, fileOf, readManifest, sourceOf } from './published.ts'
import { typesOf } from './types.ts'

const KEPT = [
  'name',
  'version',
  'description',
  'license',
  'type',
  'sideEffects',
  'bin',
  'peerDependencies',
  'peerDependenciesMeta',
  'engines',
] as const
/** The same for all packages, so they are in the package.json of the repository. */
const SHARED = ['keywords', 'homepage', 'bugs'] as const

/**
 * The package.json of a built package: entries lead to the built files, and its dependencies are what its code and its
 * types really import. Throws for an import that no package.json names.
 */
export function toPublishedManifest(published: Published, imported: Iterable<string>): Manifest {
  const manifest = readManifest(sourceOf(published))
  const known = { ...dependenciesOf(published), ...manifest.dependencies }
  const names = [...new Set(imported)].filter((name) => !manifest.peerDependencies?.[name]).toSorted()
  const unnamed = names.filter((name) => known[name] === undefined)
  if (unnamed.length > 0)
    throw new Error(`${manifest.name} imports ${unnamed.join(', ')} and does not name it as a dependency.`)
  const { directory: _, ...publishConfig } = manifest['publishConfig'] as Record<string, unknown>
  const repository = readManifest(ROOT)
  const entries = entriesOf(manifest).map(([path, source]) => [
    path,
    { types: `./dist/types/${typesOf(source)}`, default: `./dist/${fileOf(path)}.js` },
  ])
  return {
    ...(pick(manifest, KEPT) as Manifest),
    ...pick(repository, SHARED),
    repository: {
      ...(repository['repository'] as object),
      directory: `packages/${published.folder}`,
    },
    exports: Object.fromEntries([...entries, ['./package.json', './package.json']]) as Record<string, string>,
    files: ['dist', ...(published.program ? ['bin'] : [])],
    dependencies: Object.fromEntries(names.map((name) => [name, known[name]!])),
    publishConfig,
  }
}

const pick = (manifest: Manifest, fields: readonly string[]): object =>
  Object.fromEntries(fields.filter((field) => field in manifest).map((field) => [field, manifest[field]]))
