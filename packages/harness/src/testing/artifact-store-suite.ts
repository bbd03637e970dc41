import { describe, expect, it } from 'vitest'
import type { ArtifactStore } from '../ports/artifact-store.ts'

const NAME = { threadId: 'thread_1', callId: 'call_1', tool: 'shell' }

/** The contract suite of `ArtifactStore`. `create` returns a new, empty store. */
export function testArtifactStore(name: string, create: () => ArtifactStore | Promise<ArtifactStore>): void {
  const keep = async (store: ArtifactStore, ...pieces: string[]) => {
    const writer = store.create(NAME)
    for (const piece of pieces) await writer.write(piece)
    return writer.close()
  }
  const readAll = async (store: ArtifactStore, id: string, maxBytes: number) => {
    const texts: string[] = []
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const slice = await store.read(NAME.threadId, id, { offset, maxBytes })
      texts.push(slice!.text)
      offset = slice!.nextOffset
    }
    return texts
  }

  describe(`${name} as an artifact store`, () => {
    it('returns the whole text that was written in pieces', async () => {
      const store = await create()
      const artifact = await keep(store, 'one, ', 'two, ', 'three')
      expect(artifact.bytes).toBe(15)
      expect(await store.read(NAME.threadId, artifact.id, { offset: 0, maxBytes: 100 })).toEqual({
        text: 'one, two, three',
        bytes: 15,
      })
    })

    it('stores an empty text', async () => {
      const store = await create()
      const artifact = await keep(store)
      expect(artifact.bytes).toBe(0)
      expect(await store.read(NAME.threadId, artifact.id, { offset: 0, maxBytes: 10 })).toEqual({
        text: '',
        bytes: 0,
      })
    })

    it('reads in parts, returns the next offset and stops at the end', async () => {
      const store = await create()
      const { id } = await keep(store, 'abcdefghij')
      expect(await store.read(NAME.threadId, id, { offset: 0, maxBytes: 4 })).toEqual({
        text: 'abcd',
        nextOffset: 4,
        bytes: 10,
      })
      expect(await store.read(NAME.threadId, id, { offset: 8, maxBytes: 4 })).toEqual({
        text: 'ij',
        bytes: 10,
      })
      expect(await store.read(NAME.threadId, id, { offset: 99, maxBytes: 4 })).toEqual({
        text: '',
        bytes: 10,
      })
    })

    it.each([1, 2, 3, 4, 5, 7, 64])(
      'never cuts a character when read %i bytes at a time',
      async (maxBytes) => {
        const store = await create()
        const text = 'aé語😀z'.repeat(20)
        const { id } = await keep(store, text)
        const parts = await readAll(store, id, maxBytes)
        expect(parts.join('')).toBe(text)
        expect(parts.every((part) => part !== '' && !part.includes('\ufffd'))).toBe(true)
      },
    )

    it('starts at the next character when the offset is inside one', async () => {
      const store = await create()
      const { id } = await keep(store, '😀b')
      for (const offset of [1, 2, 3, 4]) {
        expect(await store.read(NAME.threadId, id, { offset, maxBytes: 10 })).toEqual({ text: 'b', bytes: 5 })
      }
    })

    it('joins a character whose halves were written separately', async () => {
      const store = await create()
      const [high, low] = ['😀'[0]!, '😀'[1]!]
      const { id, bytes } = await keep(store, `a${high}`, `${low}b`)
      expect(bytes).toBe(6)
      expect(await readAll(store, id, 100)).toEqual(['a😀b'])
    })

    it('stores a large text in small and large pieces, in order, without waiting for each write', async () => {
      const store = await create()
      const writer = store.create(NAME)
      let expected = ''
      for (let line = 0; line < 20_000; line++) {
        const text = line % 5_000 === 0 ? `${line} ${'é😀'.repeat(100_000)}\n` : `line ${line}\n`
        expected += text
        void writer.write(text)
      }
      const { id, bytes } = await writer.close()
      expect(bytes).toBe(Buffer.byteLength(expected))
      expect((await readAll(store, id, 100_000)).join('') === expected).toBe(true)
    })

    it('rejects writes after discard', async () => {
      const store = await create()
      const writer = store.create(NAME)
      await writer.write('x'.repeat(200_000))
      await writer.discard()
      await expect((async () => writer.write('more'))()).rejects.toThrow('closed')
      await expect((async () => writer.close())()).rejects.toThrow('closed')
    })

    it('returns undefined to another thread, as for an unknown id', async () => {
      const store = await create()
      const { id } = await keep(store, 'mine')
      const range = { offset: 0, maxBytes: 100 }
      expect(await store.read('thread_2', id, range)).toBeUndefined()
      expect(await store.read(NAME.threadId, `${id}x`, range)).toBeUndefined()
      expect(await store.read(NAME.threadId, '', range)).toBeUndefined()
    })

    it('gives every artifact a unique id that cannot be guessed, also for the same call', async () => {
      const store = await create()
      const first = await keep(store, 'first')
      const second = await keep(store, 'second')
      expect(first.id).not.toBe(second.id)
      expect(first.id.length).toBeGreaterThanOrEqual(22)
      expect(await readAll(store, first.id, 100)).toEqual(['first'])
      expect(await readAll(store, second.id, 100)).toEqual(['second'])
    })

    it.each([
      ['../../escape', '../call', '..'],
      ['a/b', 'a\\b', 'x/../../y'],
      ['nul\0byte', 'line\nbreak', 'con'],
      ['', '.', '~'],
      ['é語😀', 'x'.repeat(500), 'UPPER case'],
    ])(
      'reads back an artifact with a name like %j, and only in its thread',
      async (threadId, callId, tool) => {
        const store = await create()
        const writer = store.create({ threadId, callId, tool })
        await writer.write('text')
        const { id } = await writer.close()
        const range = { offset: 0, maxBytes: 100 }
        expect(await store.read(threadId, id, range)).toEqual({ text: 'text', bytes: 4 })
        expect(await store.read(threadId.toUpperCase() + '-', id, range)).toBeUndefined()
      },
    )

    it.each(['../../../etc/passwd', 'shell/../../x', 'a.b.c', '/etc/passwd', '..', 'shell.call_1.'])(
      'returns undefined for the id %j',
      async (id) => {
        const store = await create()
        await keep(store, 'text')
        expect(await store.read(NAME.threadId, id, { offset: 0, maxBytes: 10 })).toBeUndefined()
      },
    )
  })
}
