import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'
import { openSeal } from './seal-file.ts'

const createFolder = useStoreFolders()

it('a seal is the HMAC-SHA-256 of its fields', async () => {
  const folder = await createFolder()
  const { seal } = openSeal(folder)
  const key = readFileSync(join(folder, 'seal.key'))
  for (const fields of [['a'], ['kind', 1, null, 'ü'.repeat(500)], []]) {
    const wanted = createHmac('sha256', key).update(JSON.stringify(fields)).digest()
    expect(Buffer.from(seal.of(fields))).toEqual(wanted)
    expect(seal.fits(fields, wanted)).toBe(true)
  }
})
