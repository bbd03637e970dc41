import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Folder } from './import-rules.ts'
import { FOLDERS } from './import-rules.ts'

/** One import that the rules do not allow. */
export interface WrongImport {
  readonly file: string
  readonly line: number
  readonly imports: string
  readonly reason: string
}

const IMPORT =
  /^\s*(?:import|export)\s[^'"`]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|^\s*import\s+['"]([^'"]+)['"]/gm

/** Checks the imports of one source file against the rules. Paths are relative to the root, with slashes. */
export function findWrongImports(
  file: string,
  source: string,
  folders: readonly Folder[] = FOLDERS,
): readonly WrongImport[] {
  const isTest = /\.(?:test|fixture)\.tsx?$/.test(file)
  const folder = folderOf(file, folders)
  if (!folder) return [{ file, line: 1, imports: '', reason: 'is in no folder of tools/import-rules.ts' }]
  const wrong: WrongImport[] = []
  for (const match of source.matchAll(IMPORT)) {
    const specifier = match[1] ?? match[2] ?? match[3] ?? ''
    const reason = refuseImport(file, specifier, folder, { isTest, folders })
    if (reason) wrong.push({ file, line: lineOf(source, match.index), imports: specifier, reason })
  }
  return wrong
}

function refuseImport(
  file: string,
  specifier: string,
  folder: Folder,
  { isTest, folders }: { isTest: boolean; folders: readonly Folder[] },
): string | undefined {
  if (!specifier.startsWith('.')) return refusePackage(specifier, folder, isTest)
  const target = normalize(join(dirname(file), specifier))
    .split(sep)
    .join('/')
  const isTestingKit = target.includes('/src/testing/')
  if (isTestingKit)
    return isTest || file.includes('/src/testing/') ? undefined : 'only tests use the testing kit'
  if (isTest || isInside(target, folder.path)) return undefined
  if (folder.imports.some((allowed) => isInside(target, allowed))) return undefined
  return `${folder.path} may not import ${folderOf(target, folders)?.path ?? target}`
}

function refusePackage(specifier: string, folder: Folder, isTest: boolean): string | undefined {
  if (!specifier.startsWith('@capstan/')) return undefined
  const [scope, name, ...rest] = specifier.split('/')
  if (rest[0] === 'testing' && !isTest) return 'only tests use the testing kit'
  if (isTest || folder.imports.includes(`${scope}/${name}`)) return undefined
  return `${folder.path} may not import ${scope}/${name}`
}

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

function folderOf(file: string, folders: readonly Folder[]): Folder | undefined {
  return folders
    .filter(({ path }) => isInside(file, path))
    .toSorted((a, b) => b.path.length - a.path.length)
    .at(0)
}

const lineOf = (source: string, index: number): number => source.slice(0, index).split('\n').length

/** Checks every source file of every package. */
export function checkTree(root: string): readonly WrongImport[] {
  return globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.split(sep).join('/'))
    .flatMap((file) => findWrongImports(file, readFileSync(join(root, file), 'utf8')))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wrong = checkTree(join(dirname(fileURLToPath(import.meta.url)), '..'))
  for (const { file, line, imports, reason } of wrong) console.error(`${file}:${line} ${imports}: ${reason}`)
  if (wrong.length > 0) process.exitCode = 1
  else console.log('imports point one way')
}
