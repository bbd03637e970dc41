import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, relative, sep } from 'node:path'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { outsideFailure, toFileFailure, unsupportedFile } from './file-failure.ts'
import type { Place } from './locate.ts'
import { openFolder } from './open-inside.ts'
import type { Roots } from './roots.ts'

/**
 * Puts a file in place as a whole: others see the old content or the new, never a part, and a crash leaves one of the
 * two. A file that is also known by another name keeps its content there. Undefined: it worked.
 */
export async function replaceFile(
  { path, shown }: Place,
  content: string,
  roots: Roots,
): Promise<ToolOutcome | undefined> {
  const folder = await openMakingFolders(dirname(path), shown, roots)
  if ('refusal' in folder) return folder.refusal
  const target = folder.at(basename(path))
  const unfinished = folder.at(`.${randomBytes(9).toString('hex')}.tmp`)
  try {
    const mode = await modeOf(target)
    if (mode === 'not-a-file') return unsupportedFile(shown, 'exists and is not a file')
    const file = await open(unfinished, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    if (mode !== undefined) await chmod(unfinished, mode)
    await rename(unfinished, target)
    return undefined
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    return toFileFailure(shown, error)
  } finally {
    await folder.close()
  }
}

// One step at a time from the root, each from a folder that is held: a link put in the way is not gone through.
async function openMakingFolders(path: string, shown: string, roots: Roots): ReturnType<typeof openFolder> {
  const root = roots.around(path)
  if (root === undefined) return { refusal: outsideFailure(shown, roots.paths) }
  let folder = await openFolder(root, shown, roots)
  for (const name of relative(root, path).split(sep)) {
    if (name === '' || 'refusal' in folder) continue
    const inner = folder.at(name)
    await mkdir(inner).catch(() => {})
    const next = await openFolder(inner, shown, roots)
    await folder.close()
    folder = next
  }
  return folder
}

async function modeOf(path: string): Promise<number | undefined | 'not-a-file'> {
  try {
    const stats = await lstat(path)
    return stats.isFile() ? stats.mode & 0o7777 : 'not-a-file'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
