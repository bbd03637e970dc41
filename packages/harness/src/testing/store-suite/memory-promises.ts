import { describe, expect, it } from 'vitest'
import { CONFIDENT_SCORE } from '../../ports/item-search/score-item.ts'
import type { Store } from '../../ports/store.ts'
import type { MemoryItem } from '../../ports/user-memory.ts'

let made = 0
const item = (fields: Partial<MemoryItem> = {}): MemoryItem => ({
  id: `item_${++made}`,
  app: 'notes',
  externalId: `page-${made}`,
  at: Date.UTC(2026, 2, 14),
  title: 'Untitled',
  text: 'Nothing in particular.',
  people: [],
  seenAt: 1,
  ...fields,
})

/** Something to tell the wanted items from. */
const others = (): MemoryItem[] =>
  ['The kettle is broken again.', 'Lunch moved to one.', 'El tren llega tarde.', '会議は午後です。'].map(
    (text) => item({ text, title: 'Other' }),
  )

/** How a query finds an item: what the item holds, then what is looked for. */
const FOUND: readonly (readonly [string, Partial<MemoryItem>, string])[] = [
  ['a word', { text: 'The greenhouse needs a new hinge.' }, 'greenhouse hinge'],
  ['a plural', { text: 'Two ladders stand behind the barn.' }, 'ladder barns'],
  [
    'a German case and a part of a compound',
    { text: 'Der Gartenschlauch ist undicht.' },
    'Schlauch im Garten',
  ],
  ['a Russian case', { text: 'Купили новую лопату и грабли.' }, 'лопата'],
  ['an Arabic word without its article and vowel signs', { text: 'نُقِلَ الاجتماعُ إلى المكتبةِ' }, 'اجتماع مكتبة'],
  ['Japanese without spaces', { text: '来週の避難訓練は中止になりました。' }, '避難訓練 中止'],
  ['Chinese without spaces', { text: '仓库的钥匙交给了管理员。' }, '仓库钥匙'],
  ['a misspelt Korean word', { text: '컴퓨터 화면이 깜빡입니다' }, '컴퓨타 화면'],
  ['a misspelt word', { text: 'The thermostat was replaced.' }, 'termostat replased'],
  ['a Hindi plural', { text: 'खिड़कियों की मरम्मत बाकी है' }, 'खिड़की मरम्मत'],
  ['a reference', { text: 'Ticket KX-4471-B is closed.' }, 'KX-4471-B'],
  ['a person without diacritics', { people: ['Zoë Brüßler'] }, 'Zoe Brussler'],
  ['a Japanese person without the space', { people: ['高橋 美咲'] }, '高橋美咲'],
  ['a date in another notation', { text: 'Inspection on 2026-08-03.' }, 'inspection 3 August 2026'],
  ['a date in another language', { text: 'Besichtigung am 3. August 2026' }, '2026年8月3日'],
  ['the day of an item', { at: Date.UTC(2025, 10, 9), title: 'Board' }, 'board 9.11.2025'],
]

/** What a store promises about the items of apps. */
export function testMemory(open: () => Promise<Store>): void {
  describe('memory', () => {
    it('returns an item as it was put', async () => {
      const { memory } = await open()
      const given = item({ account: 'work', version: '7', link: 'https://notes.example/1', people: ['Ada'] })
      expect(await memory.put('ana', [given])).toEqual({ added: 1 })
      expect(await memory.get('ana', given.id)).toEqual(given)
      expect(await memory.list('ana')).toEqual([given])
      expect(await memory.sources('ana')).toEqual([{ app: 'notes', account: 'work', count: 1 }])
    })

    it('replaces an item with the same id, and finds it by its new words only', async () => {
      const { memory } = await open()
      const old = item({ text: 'The password of the printer is on the wall.' })
      await memory.put('ana', [old, ...others()])
      expect(await memory.put('ana', [{ ...old, text: 'Marmalade recipe.' }])).toEqual({ added: 0 })
      expect(await topHit(memory, 'marmalade')).toBe(old.id)
      expect(await topHit(memory, 'printer')).toBeUndefined()
    })

    it('keeps the items of users apart', async () => {
      const { memory } = await open()
      const secret = item({ text: 'The vault opens with seven knocks.' })
      await memory.put('ana', [secret])
      await memory.put('ben', others())
      expect(await memory.get('ben', secret.id)).toBeUndefined()
      expect(await memory.search('ben', { words: 'vault seven knocks' })).toEqual([])
      expect(await memory.remove('ben', [secret.id])).toBe(0)
      expect(await memory.removeAll('cid', { app: 'notes' })).toBe(0)
      expect(await topHit(memory, 'vault knocks')).toBe(secret.id)
    })

    it('lists newest first, by source, in pages', async () => {
      const { memory } = await open()
      const [a, b, c] = [item({ at: 1 }), item({ at: 3, app: 'mail' }), item({ at: 3, app: 'mail' })]
      await memory.put('ana', [a, b, c])
      const first = await memory.list('ana', { limit: 2 })
      expect(first.map(({ id }) => id)).toEqual([b.id, c.id].toSorted())
      const [, cursor] = first
      expect(cursor && (await memory.list('ana', { cursor, limit: 2 }))).toEqual([a])
      expect(await memory.list('ana', { app: 'notes' })).toEqual([a])
      expect(await memory.sources('ana')).toHaveLength(2)
    })

    it.each(FOUND)('finds %s', async (_what, fields, words) => {
      const { memory } = await open()
      const wanted = item(fields)
      await memory.put('ana', [...others(), wanted, ...others()])
      expect(await topHit(memory, words)).toBe(wanted.id)
    })

    it('gives no confident hit where the words are not all there', async () => {
      const { memory } = await open()
      const near = item({ text: 'Invoice AB-2201-77 was sent to Ida Lund.', people: ['Ida Lund'] })
      await memory.put('ana', [near, ...others()])
      for (const words of ['AB-2207-71', 'salary of Ida Lund at the harbour', 'umbrella'])
        for (const { score } of await memory.search('ana', { words }))
          expect(score).toBeLessThan(CONFIDENT_SCORE)
      const [sure] = await memory.search('ana', { words: 'invoice Ida Lund' })
      expect(sure?.score).toBeGreaterThanOrEqual(CONFIDENT_SCORE)
    })

    it('finds nothing for a query without words', async () => {
      const { memory } = await open()
      await memory.put('ana', others())
      for (const words of ['', '   ', '"*:', '-- OR NOT'])
        expect(await memory.search('ana', { words: words.slice(0, 3) })).toEqual([])
    })

    it('forgets items, and finds what is left', async () => {
      const { memory } = await open()
      const [gone, kept] = [
        item({ text: 'The violin is at the luthier.' }),
        item({ text: 'The violin is back.' }),
      ]
      await memory.put('ana', [gone, kept, ...others()])
      expect(await memory.remove('ana', [gone.id, 'unknown'])).toBe(1)
      expect(await memory.get('ana', gone.id)).toBeUndefined()
      const hits = await memory.search('ana', { words: 'violin luthier' })
      expect(hits.map((hit) => hit.item.id)).toEqual([kept.id])
    })

    it('forgets all of an app, or of one account', async () => {
      const { memory } = await open()
      await memory.put('ana', [
        item({ app: 'mail', account: 'work' }),
        item({ app: 'mail', account: 'home' }),
        item({ app: 'notes' }),
      ])
      expect(await memory.removeAll('ana', { app: 'mail', account: 'work' })).toBe(1)
      expect(await memory.removeAll('ana', { app: 'mail' })).toBe(1)
      expect(await memory.sources('ana')).toEqual([{ app: 'notes', count: 1 }])
    })

    it('keeps hostile texts as they are', async () => {
      const { memory } = await open()
      const given = item({
        title: `'; DROP TABLE memory_items; --`,
        text: '\0 \uD800 "near" OR * ^ 𝒳 {a b} : (',
      })
      await memory.put('ana', [given])
      expect(await memory.get('ana', given.id)).toEqual(given)
      expect(await topHit(memory, '"DROP" OR (TABLE*')).toBe(given.id)
    })
  })
}

async function topHit(memory: Store['memory'], words: string): Promise<string | undefined> {
  return (await memory.search('ana', { words }))[0]?.item.id
}
