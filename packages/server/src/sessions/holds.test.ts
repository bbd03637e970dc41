import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHolds } from './holds.ts'

describe('a user whose name is also the name of something else', () => {
  it.each(['constructor', 'toString', '__proto__'])('is not held when nobody was: %s', async (userId) => {
    const folder = await mkdtemp(join(tmpdir(), 'capstan-holds-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    expect(openHolds(folder).of(userId)).toBeUndefined()
  })
})
