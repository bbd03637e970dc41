import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { VERSION } from './version.ts'

const root = join(import.meta.dirname, '../../..')
const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: root })]

it.each(manifests)('the version of %s is the version of Capstan', (path) => {
  const { version } = JSON.parse(readFileSync(join(root, path), 'utf8')) as { version: string }
  expect(version).toBe(VERSION)
})
