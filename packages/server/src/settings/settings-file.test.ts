import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFileDocuments } from '../documents/file-documents.ts'
import { DEFAULT_SETTINGS, openSettingsFile } from './settings-file.ts'

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-settings-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const withTheme = (theme: 'dark' | 'light') => ({ ...DEFAULT_SETTINGS, theme })

describe('the settings file', () => {
  it('survives a restart and is readable by its owner only', async () => {
    const folder = await createFolder()
    const file = openSettingsFile(createFileDocuments(folder))
    await file.change((document) => ({ ...document, users: { local: withTheme('dark') } }))
    expect(openSettingsFile(createFileDocuments(folder)).document.users['local']).toEqual(withTheme('dark'))
    expect((await stat(join(folder, 'settings.json'))).mode & 0o777).toBe(0o600)
  })

  it('applies concurrent changes one after the other and leaves no partial file', async () => {
    const folder = await createFolder()
    const file = openSettingsFile(createFileDocuments(folder))
    const names = Array.from({ length: 20 }, (_, index) => `user${index}`)
    await Promise.all(
      names.map((name) =>
        file.change((document) => ({
          ...document,
          users: { ...document.users, [name]: withTheme('light') },
        })),
      ),
    )
    expect(Object.keys(openSettingsFile(createFileDocuments(folder)).document.users)).toEqual(names)
    expect(await readdir(folder)).toEqual(['settings.json'])
  })

  it.each([
    ['{ "version": 1, "users"', 'it is not JSON'],
    [
      '{ "version": 1, "users": { "local": { "theme": "pink" } } }',
      '"users.local.theme" is not what it should be',
    ],
    ['[]', '"the whole of it" is not what it should be'],
  ])('is moved aside when it cannot be read: %s', async (text, problem) => {
    const folder = await createFolder()
    await writeFile(join(folder, 'settings.json'), text)
    const file = openSettingsFile(createFileDocuments(folder), () => Date.UTC(2026, 10, 16))
    expect(file.document.users).toEqual({})
    expect(file.notices).toEqual([
      `settings.json could not be read (${problem}). It was moved to settings.damaged-2026-11-16T00-00-00-000Z.json, ` +
        'and the defaults are in use.',
    ])
    expect(await readFile(join(folder, 'settings.damaged-2026-11-16T00-00-00-000Z.json'), 'utf8')).toBe(text)
  })

  it('is left unchanged when a newer version wrote it', async () => {
    const folder = await createFolder()
    await writeFile(join(folder, 'settings.json'), '{ "version": 2 }')
    expect(() => openSettingsFile(createFileDocuments(folder))).toThrow(
      'settings.json: was written by a newer version of Capstan',
    )
    expect(await readFile(join(folder, 'settings.json'), 'utf8')).toBe('{ "version": 2 }')
  })

  it('rejects a change when the folder cannot be written, and keeps the old values', async () => {
    const folder = await createFolder()
    const file = openSettingsFile(createFileDocuments(folder))
    await rm(folder, { recursive: true })
    await expect(
      file.change((document) => ({ ...document, users: { local: withTheme('dark') } })),
    ).rejects.toThrow('cannot be used for settings.json')
    expect(file.document.users).toEqual({})
  })
})
