import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import type { SandboxFolder } from '@capstan/harness/sandbox'
import { isInside, realOrSame, realPath } from '../paths.ts'
import { SYSTEM_FOLDERS } from '../system-files.ts'
import { findProgram } from './find-program.ts'

const MARKS_OF_A_PACKAGE = ['package.json', 'pyproject.toml', 'deno.json']
const LEVELS_UP = 6

/**
 * The folders that a command line names or needs: the package of the program and of its script to read, and folders
 * among the arguments to write. Never a home folder as a whole unless the command line names it, and nothing hidden.
 */
export function suggestFolders(
  command: string,
  args: readonly string[],
  hidden: readonly string[],
): readonly SandboxFolder[] {
  const found = new Map<string, SandboxFolder>()
  const add = (path: string, access: SandboxFolder['access']): void => {
    if (isSystem(path) || path === '/' || hidden.some((secret) => isInside(secret, path))) return
    if (found.get(path)?.access !== 'write') found.set(path, { path, access })
  }
  const program = findProgram(command, process.cwd())
  const ownNode = realOrSame(process.execPath)
  for (const file of program === undefined ? [] : [realOrSame(program)])
    if (file !== ownNode) add(packageOf(file, hidden), 'read')
  for (const arg of args) {
    const named = /^--?[\w-]+=(\/.*)$/.exec(arg)?.[1] ?? arg
    const path = isAbsolute(named) ? realPath(named) : undefined
    if (path === undefined) continue
    const about = statSync(path, { throwIfNoEntry: false })
    if (about?.isDirectory()) add(path, 'write')
    else if (about?.isFile() && path !== ownNode) add(packageOf(path, hidden), 'read')
  }
  return [...found.values()]
}

const isSystem = (path: string): boolean => SYSTEM_FOLDERS.some((folder) => isInside(folder, path))

function packageOf(file: string, hidden: readonly string[]): string {
  const modules = file.indexOf('/node_modules/')
  const candidates = [
    ...(modules > 0 ? [file.slice(0, modules + '/node_modules'.length)] : []),
    ...enclosingPackage(file),
    dirname(file),
  ]
  return candidates.find((folder) => isNarrow(folder, hidden)) ?? file
}

function enclosingPackage(file: string): readonly string[] {
  let folder = dirname(file)
  for (let level = 0; level < LEVELS_UP; level++) {
    if (MARKS_OF_A_PACKAGE.some((mark) => existsSync(join(folder, mark)))) return [folder]
    folder = dirname(folder)
  }
  return []
}

/** Not a folder that holds other things than the program: a home folder, one around it, or one at the top. */
function isNarrow(folder: string, hidden: readonly string[]): boolean {
  const isAtTop = folder.split('/').length <= 2
  const tooMuch = [realOrSame(homedir()), ...hidden]
  return !isAtTop && !tooMuch.some((path) => isInside(folder, path))
}
