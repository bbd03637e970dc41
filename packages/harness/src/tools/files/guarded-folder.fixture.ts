import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { tryTool } from '../../testing/try-tool.ts'
import type { JsonObject } from '../../turn/json.ts'
import { createFileTools } from '../files.ts'

// A folder the file tools may use, and a secret beside it that they may not. Made anew for each test of the file
// that imports this.
export let home: string
export let root: string
export let outside: string

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'capstan-files-')))
  root = join(home, 'root')
  outside = join(home, 'outside')
  await mkdir(root)
  await mkdir(outside)
  await writeFile(join(outside, 'secret.txt'), 'the secret')
})

afterEach(() => rm(home, { recursive: true, force: true }))

export const use = (name: string, args: JsonObject, options: { allowSecretFiles?: boolean } = {}) =>
  tryTool(
    createFileTools({ roots: [root], ...options }).find((tool) => tool.name === name)!,
    args,
  )

export const put = async (path: string, content: string | Buffer) => {
  await mkdir(join(root, path, '..'), { recursive: true })
  await writeFile(join(root, path), content)
}
