import { globSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { CommandError } from '../shell/shell.ts'

/** The folder inside of an agent that its build is in. */
export const BUILT = 'dist'
const LEFT_OUT = ['node_modules/**', `${BUILT}/**`, `${BUILT}.new/**`, '.*/**']
const CODE = ['**/*.ts', '**/*.mts', '**/*.js', '**/*.mjs']
const CONTENT = ['instructions.md', 'agents/*.md', 'connections.json']
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(\s*|^[ \t]*import\s*)(['"])(\.[^'"]*)\.(m?)ts\2/gm

/**
 * Writes an agent as plain JavaScript to `dist` in its folder, from where it starts without TypeScript. The old build
 * stays until the new one is complete. Answers with the files it holds.
 */
export async function buildAgentFolder(folder: string): Promise<readonly string[]> {
  const fresh = join(folder, `${BUILT}.new`)
  await rm(fresh, { recursive: true, force: true })
  const find = (patterns: readonly string[]) => globSync([...patterns], { cwd: folder, exclude: LEFT_OUT })
  const written: string[] = []
  for (const file of find(CONTENT)) {
    await mkdir(dirname(join(fresh, file)), { recursive: true })
    await copyFile(join(folder, file), join(fresh, file))
    written.push(file)
  }
  for (const file of find(CODE).filter((name) => !/\.test\.|\.d\.m?ts$/.test(name))) {
    const target = file.replace(/ts$/, 'js')
    await mkdir(dirname(join(fresh, target)), { recursive: true })
    await writeFile(join(fresh, target), toJavaScript(await readFile(join(folder, file), 'utf8'), file))
    written.push(target)
  }
  await rm(join(folder, BUILT), { recursive: true, force: true })
  await rename(fresh, join(folder, BUILT))
  return written.toSorted()
}

function toJavaScript(text: string, file: string): string {
  if (!file.endsWith('ts')) return text
  try {
    return module.stripTypeScriptTypes(text).replaceAll(SPECIFIER, '$1$2$3.$4js$2')
  } catch (error) {
    throw new CommandError(`${file}: ${(error as Error).message.trim().split('\n')[0]}`)
  }
}
