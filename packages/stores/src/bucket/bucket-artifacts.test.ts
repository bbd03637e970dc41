import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { testArtifactStore } from '@capstan/harness/testing/suites'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBucketArtifacts } from './open-bucket-artifacts.ts'
import { CREDENTIALS, useS3Server } from './s3-server.fixture.ts'

const s3 = useS3Server()
const open = async (prefix: string = randomUUID(), env: Record<string, string> = CREDENTIALS) =>
  (await openBucketArtifacts(s3.url(prefix), env))!

testArtifactStore('a bucket', () => open())

const RANGE = { offset: 0, maxBytes: 100 }

async function keep(store: Awaited<ReturnType<typeof open>>, threadId: string, text: string) {
  const writer = store.create({ threadId, callId: 'call_1', tool: 'shell' })
  await writer.write(text)
  return writer.close()
}

describe('artifacts in a bucket', () => {
  it('are deleted with their thread, and only with it', async () => {
    const store = await open()
    const kept = await keep(store, 'thread_2', 'stays')
    const gone = [await keep(store, 'thread_1', 'one'), await keep(store, 'thread_1', 'two!')]
    expect(await store.bytesOf('thread_1')).toBe(7)
    await store.delete('thread_1')
    expect(await store.bytesOf('thread_1')).toBe(0)
    for (const { id } of gone) expect(await store.read('thread_1', id, RANGE)).toBeUndefined()
    expect(await store.read('thread_2', kept.id, RANGE)).toMatchObject({ text: 'stays' })
  })

  it('are sent in parts when they are large', async () => {
    const store = await open()
    const line = 'ä line that is repeated until the text is larger than two parts\n'
    const artifact = await keep(store, 'thread_1', line.repeat(300_000))
    const slice = await store.read('thread_1', artifact.id, { offset: artifact.bytes - 6, maxBytes: 100 })
    expect(slice).toEqual({ text: 'parts\n', bytes: artifact.bytes })
    expect(await store.bytesOf('thread_1')).toBe(artifact.bytes)
  })

  it('leave nothing when they are discarded', async () => {
    const store = await open()
    const writer = store.create({ threadId: 'thread_1', callId: 'call_1', tool: 'shell' })
    await writer.write('x'.repeat(9 * 2 ** 20))
    await writer.discard()
    expect(await store.bytesOf('thread_1')).toBe(0)
  })

  it('keep their id when they come from another store', async () => {
    const store = await open()
    const id = `shell.call_1.${'a'.repeat(22)}`
    const writer = store.restore('thread_1', id)
    await writer.write('from elsewhere')
    await writer.close()
    expect(await store.read('thread_1', id, RANGE)).toMatchObject({ text: 'from elsewhere' })
  })
})

describe('a bucket that cannot be used', () => {
  it('is refused at the start, without the secret in the message', async () => {
    const env = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'wrong-secret' }
    await expect(open('x', env)).rejects.toMatchObject({
      name: 'StoreError',
      kind: 'io',
      message: expect.not.stringContaining('wrong-secret') as string,
    })
    const missing = s3.url('x').replace('artifacts', 'elsewhere')
    await expect(openBucketArtifacts(missing, CREDENTIALS)).rejects.toThrow('There is no bucket elsewhere')
  })

  it.each([
    ['https://artifacts', 'is not an address such as s3://bucket/prefix'],
    ['s3://', 'is not an address such as|names no bucket'],
    ['s3://key:secret@artifacts/x', 'holds credentials'],
    ['s3://artifacts/x?acl=public', 'has an option "acl"'],
    ['s3://artifacts/a%20b', 'has a prefix with other characters'],
    ['s3://artifacts/x?endpoint=ftp://host', 'has an endpoint that is no address'],
  ])('%s is refused with a sentence', async (address, why) => {
    await expect(openBucketArtifacts(address, CREDENTIALS)).rejects.toThrow(new RegExp(why))
    await expect(openBucketArtifacts(address, CREDENTIALS)).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('needs credentials', async () => {
    await expect(open('x', {})).rejects.toThrow('set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  })

  it('is asked again while it is busy', async () => {
    let requests = 0
    const server = createServer((_request, response) => {
      response.statusCode = ++requests < 3 ? 503 : 200
      response.end(requests < 3 ? '<Error><Code>SlowDown</Code></Error>' : '<ListBucketResult/>')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await openBucketArtifacts(`s3://artifacts?endpoint=http://127.0.0.1:${port}`, CREDENTIALS)
    expect(requests).toBe(3)
  })
})
