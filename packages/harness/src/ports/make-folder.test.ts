import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder } from './make-folder.ts'

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('makeFolder makes a folder and those above it, for this user alone', () => {
  const folder = join(createFolder(), 'a', 'b', 'c')
  makeFolder(folder)
  makeFolder(folder)
  if (process.platform !== 'win32') {
    for (const path of [folder, join(folder, '..'), join(folder, '..', '..')])
      expect(statSync(path).mode & 0o777).toBe(0o700)
  }
})

it('makeFolder refuses the path of a file, and a path below a file', () => {
  const file = join(createFolder(), 'file')
  writeFileSync(file, '')
  expect(() => makeFolder(file)).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
  expect(() => makeFolder(join(file, 'below'))).toThrow(
    expect.objectContaining({
      code: 'ENOTDIR',
      message: expect.stringContaining('cannot be made') as string,
    }),
  )
})

it.runIf(process.platform === 'linux')('makeFolder fails at once under /proc', () => {
  expect(() => makeFolder('/proc/capstan/data')).toThrow(
    expect.objectContaining({
      code: 'ENOENT',
      message: expect.stringMatching(/^The folder \/proc\/capstan\/data cannot be made/) as string,
    }),
  )
})
