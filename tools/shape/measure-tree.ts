import { globSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { FileShape } from './measure-source.ts'
import { measureSource } from './measure-source.ts'

/** One folder and the number of files directly in it, tests included. */
export interface FolderShape {
  readonly folder: string
  readonly files: number
}

/** One package, measured. */
export interface PackageShape {
  readonly name: string
  /** The source, without tests and translations. */
  readonly files: readonly FileShape[]
  readonly folders: readonly FolderShape[]
}

/** Measures every package below `root`. Paths are relative to the root, with slashes. */
export function measureTree(root: string): readonly PackageShape[] {
  const byPackage = Map.groupBy(listFiles(root), (file) => file.split('/')[1] ?? '')
  return [...byPackage].map(([name, files]) => ({
    name,
    files: files.filter(isSource).map((file) => measureSource(file, readFileSync(join(root, file), 'utf8'))),
    folders: countFolders(files),
  }))
}

function listFiles(root: string): readonly string[] {
  return globSync('packages/*/src/**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, sep).length))
    .map((file) => file.split(sep).join('/'))
    .toSorted()
}

/** Not a test, not made for tests alone, not a translation. */
export function isSource(file: string): boolean {
  if (!/\.tsx?$/.test(file)) return false
  return !/\.(?:test|fixture)\.tsx?$|\/src\/testing\/|\/scenarios\/|\/i18n\/[^/]+\//.test(file)
}

function countFolders(files: readonly string[]): readonly FolderShape[] {
  return [...Map.groupBy(files, (file) => dirname(file))].map(([folder, { length }]) => ({
    folder,
    files: length,
  }))
}
