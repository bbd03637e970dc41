import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFileDocuments } from '../documents/file-documents.ts'
import { openHolds } from './holds.ts'

const open = (folder: string) => openHolds(createFileDocuments(folder))

describe('a user whose name is also the name of something else', () => {
  it.each(['constructor', 'toString', '__proto__'])('is not held when nobody was: %s', async (userId) => {
    const folder = await mkdtemp(join(tmpdir(), 'capstan-holds-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    expect(open(folder).of(userId)).toBeUndefined()
  })

  it('is held after a restart when somebody held them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'capstan-holds-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await open(folder).set('constructor', 7)
    expect(open(folder).of('constructor')).toEqual({ at: 7, scope: 'own' })
    await open(folder).clear('constructor')
    expect(open(folder).of('constructor')).toBeUndefined()
  })
})
