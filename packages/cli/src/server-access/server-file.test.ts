import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHome } from '../testing/stored-thread.ts'
import { findServer, writeServerFile } from './server-file.ts'

const URL_HERE = 'http://127.0.0.1:4100'
const ADDRESSES = { url: URL_HERE, linkUrl: 'https://capstan.example.org' }

describe('the server file', () => {
  it('names the server while it owns the folder', async () => {
    const home = await createHome()
    await writeFile(join(home, 'lock.pid'), `${process.pid}\n`)
    const removeFile = writeServerFile(home, ADDRESSES)
    expect(findServer(home)).toEqual({ pid: process.pid, ...ADDRESSES })
    removeFile()
    expect(findServer(home)).toBeUndefined()
  })

  it('names a node while it runs: nodes own no folder', async () => {
    const home = await createHome()
    const removeFile = writeServerFile(home, { ...ADDRESSES, isNode: true })
    expect(findServer(home)).toEqual({ pid: process.pid, ...ADDRESSES, isNode: true })
    removeFile()
    expect(findServer(home)).toBeUndefined()
  })

  it.each([
    ['the server was killed', { pid: 999_999_999, url: URL_HERE }, 999_999_999],
    ['another program owns the folder now', { pid: process.pid, url: URL_HERE }, 1],
    ['the file has no process id', { pid: 'x' }, process.pid],
    ['the address is not a URL', { pid: process.pid, url: 'nowhere' }, process.pid],
  ])('is ignored when %s', async (_, address, owner) => {
    const home = await createHome()
    await writeFile(join(home, 'server.json'), JSON.stringify(address))
    await writeFile(join(home, 'lock.pid'), `${owner}\n`)
    expect(findServer(home)).toBeUndefined()
  })
})
