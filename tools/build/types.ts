import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Published } from './published.ts'
import { BUILT, ROOT, builtOf, entriesOf, packageOf, readManifest, sourceOf } from './published.ts'

const PACKAGES = join(ROOT, 'packages')
const DECLARED = join(BUILT, '.types')
const SPECIFIER = /(\bfrom\s*|\bimport\(\s*|\bimport\s+)(['"])([^'"]+)\2/g

/** Writes the declarations of all sources with tsc. Throws with what it printed. */
export async function declareTypes(packages: readonly Published[]): Promise<void> {
  await rm(DECLARED, { recursive: true, force: true })
  await mkdir(BUILT, { recursive: true })
  const config = join(BUILT, 'tsconfig.types.json')
  // Each source by its name: one that is only reached through node_modules counts as foreign, and gets no declaration.
  const files = packages.flatMap((published) =>
    globSync('src/**/*.ts', { cwd: sourceOf(published), exclude: ['**/*.test.ts', '**/*.fixture.ts'] }).map(
      (file) => join(sourceOf(published), file),
    ),
  )
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: PACKAGES,
    outDir: DECLARED,
  }
  const settings = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }
  await writeFile(config, JSON.stringify(settings))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The types could not be built.\n${stdout}${stderr}`)
}

/**
 * Copies the declarations that the entries of a package reach, so that nothing of the tests comes along. Answers with the
 * packages they import.
 */
export async function copyTypes(published: Published): Promise<ReadonlySet<string>> {
  const source = join(sourceOf(published), 'src')
  const from = join(DECLARED, relative(PACKAGES, source))
  const imported = new Set<string>()
  const copied = new Set<string>()
  const waiting = entriesOf(readManifest(sourceOf(published))).map(([, file]) => typesOf(file))
  for (const path of waiting) {
    if (copied.has(path)) continue
    copied.add(path)
    const text = readFileSync(join(from, path), 'utf8')
    for (const [, , , specifier = ''] of text.matchAll(SPECIFIER)) {
      if (specifier.startsWith('.')) waiting.push(join(dirname(path), declarationOf(specifier)))
      else if (!specifier.startsWith('node:')) imported.add(packageOf(specifier))
    }
    const target = join(builtOf(published), 'dist/types', path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text.replaceAll(SPECIFIER, toPublished))
  }
  return imported
}

/** Where the declaration of a source is, in `dist/types`: `./src/exports/tools.ts` is at `exports/tools.d.ts`. */
export const typesOf = (source: string): string => declarationOf(source.replace(/^\.\/src\//, ''))

const declarationOf = (specifier: string): string => specifier.replace(/\.[jt]s$/, '.d.ts')

// Not every editor follows an import that ends in `.ts` from a declaration.
const toPublished = (all: string, before: string, quote: string, specifier: string): string =>
  specifier.startsWith('.') ? `${before}${quote}${specifier.replace(/\.ts$/, '.js')}${quote}` : all
