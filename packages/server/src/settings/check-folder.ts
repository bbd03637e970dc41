import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { fieldError } from './field-error.ts'
import { isAround, realOrSame } from './paths.ts'

/**
 * The true path of a folder that the assistant or a program may use. Never one that holds the data folder or lies in it:
 * there are the keys and the record of permissions. Throws a `ConfigurationError` that names the field.
 */
export function checkFolder(
  field: string,
  written: string,
  { dataFolder, allowsFile = false }: { readonly dataFolder: string; readonly allowsFile?: boolean },
): string {
  if (!isAbsolute(written)) throw fieldError(field, { kind: 'not-absolute' })
  const path = realFolder(written, allowsFile)
  if (path === undefined) throw fieldError(field, { kind: 'not-a-folder', value: written })
  const own = realOrSame(dataFolder)
  if (isAround(path, own) || isAround(own, path))
    throw fieldError(field, { kind: 'own-data', value: written })
  return path
}

function realFolder(written: string, allowsFile: boolean): string | undefined {
  try {
    const path = realpathSync(resolve(written))
    return allowsFile || statSync(path).isDirectory() ? path : undefined
  } catch {
    return undefined
  }
}
