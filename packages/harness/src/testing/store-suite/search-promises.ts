import type { RunId, ThreadId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { LedgerRecord } from '../../ports/ledger.ts'
import type { Store } from '../../ports/store.ts'
import {
  OTHER_THREAD,
  OTHER_USER,
  RUN,
  THREAD,
  USER,
  childStart,
  done,
  runEnd,
  runStart,
  userMessage,
} from './records.ts'

/** Tests the search of a store. */
export function testSearch(open: () => Promise<Store>): void {
  const found = async (store: Store, words: string, limit?: number) => {
    const hits = await store.threads.search({ userId: USER, words, ...(limit !== undefined && { limit }) })
    return hits.map(({ thread }) => thread.id)
  }
  /** Creates a thread named `title`, with a turn that has this question and answer. */
  const addThread = async (
    store: Store,
    {
      id = THREAD,
      userId = USER,
      title = 'Untitled',
      at = 1_000,
      asked = 'Hello?',
      answer = 'Yes.',
      more = [],
    }: SearchedThread,
  ) => {
    const runId = `run of ${id}` as RunId
    await store.threads.create({ id: id as ThreadId, userId, title, at })
    await store.ledger.commit(id as ThreadId, [
      runStart(at + 1, { runId, text: asked }),
      ...more,
      runEnd(at + 2, runId, done(answer)),
    ])
  }

  describe('its search', () => {
    it('finds a thread by its title, a question or an answer', async () => {
      const store = await open()
      await addThread(store, {
        title: 'Holiday plans',
        asked: 'Where are walruses?',
        answer: 'In the Arctic, mostly.',
      })
      await addThread(store, { id: OTHER_THREAD, title: 'Taxes', asked: 'How much?', answer: 'A lot.' })
      expect(await found(store, 'holiday')).toEqual([THREAD])
      expect(await found(store, 'walruses')).toEqual([THREAD])
      expect(await found(store, 'Arctic')).toEqual([THREAD])
      expect(await found(store, 'lot')).toEqual([OTHER_THREAD])
      expect(await found(store, 'penguin')).toEqual([])
    })

    it('requires all words, anywhere in the thread', async () => {
      const store = await open()
      await addThread(store, { title: 'Holiday', asked: 'Where are walruses?', answer: 'In the Arctic.' })
      expect(await found(store, 'arctic walruses')).toEqual([THREAD])
      expect(await found(store, 'holiday arctic')).toEqual([THREAD])
      expect(await found(store, 'arctic penguin')).toEqual([])
    })

    it('matches the start of a word and not its middle', async () => {
      const store = await open()
      await addThread(store, { asked: 'Where are walruses?' })
      expect(await found(store, 'wal')).toEqual([THREAD])
      expect(await found(store, 'wher wal')).toEqual([THREAD])
      expect(await found(store, 'alruses')).toEqual([])
    })

    it('ignores case, accents and punctuation', async () => {
      const store = await open()
      await addThread(store, {
        title: 'Café Müller',
        asked: 'Send an E-MAIL to José, please!',
        answer: 'ÜBERMORGEN',
      })
      for (const words of [
        'CAFE',
        'café',
        'cafe\u0301',
        'muller',
        'jose',
        'übermorgen',
        'ubermorgen',
        'e-mail',
        '(please)',
      ]) {
        expect([words, await found(store, words)]).toEqual([words, [THREAD]])
      }
    })

    it('finds words in scripts without spaces', async () => {
      const store = await open()
      await addThread(store, { asked: '今日の東京の天気を教えてください。', answer: 'วันนี้ฝนตก' })
      for (const words of ['天気', '東京 天気', '今日', 'ฝน']) {
        expect([words, await found(store, words)]).toEqual([words, [THREAD]])
      }
      expect(await found(store, '大阪')).toEqual([])
      const [hit] = await store.threads.search({ userId: USER, words: '天気' })
      expect(hit!.excerpt).toContain('天気')
    })

    it('finds a queued message after it was delivered', async () => {
      const store = await open()
      const steer = {
        type: 'message-queue',
        at: 1_100,
        id: 'q1',
        mode: 'steer',
        text: 'rather giraffes',
      } as const
      const late = {
        type: 'message-queue',
        at: 1_101,
        id: 'q2',
        mode: 'follow-up',
        text: 'and zebras',
      } as const
      await store.threads.create({ id: THREAD, userId: USER, title: 'Animals', at: 1_000 })
      await store.ledger.commit(THREAD, [runStart(1_001, { text: 'Hello?' }), steer, late])
      expect(await found(store, 'giraffes')).toEqual([])
      await store.ledger.commit(THREAD, [
        { type: 'message-dequeue', at: 1_200, id: 'q1' },
        userMessage(1_200, 'rather giraffes', 'steer'),
        { type: 'message-dequeue', at: 1_201, id: 'q2', refused: 'The turn had ended.' },
      ])
      expect(await found(store, 'giraffes')).toEqual([THREAD])
      expect(await found(store, 'zebras')).toEqual([])
    })

    it('leaves out the messages of sub-agents', async () => {
      const store = await open()
      const child = [
        childStart(1_100, 'run_child', `run of ${THREAD}`),
        userMessage(1_150, 'whispered', 'steer', 'run_child'),
        runEnd(1_200, 'run_child', done('secretive')),
      ]
      await addThread(store, { more: child })
      expect(await found(store, 'look')).toEqual([])
      expect(await found(store, 'whispered')).toEqual([])
      expect(await found(store, 'secretive')).toEqual([])
    })

    it('finds a renamed thread by its new name only', async () => {
      const store = await open()
      await addThread(store, { title: 'Alpha' })
      await store.threads.rename(THREAD, 'Beta')
      expect(await found(store, 'beta')).toEqual([THREAD])
      expect(await found(store, 'alpha')).toEqual([])
    })

    it('finds a thread by the title from its first question', async () => {
      const store = await open()
      await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })
      await store.ledger.commit(THREAD, [runStart(1_100, { text: 'Quokka facts' })])
      expect(await found(store, 'quokka')).toEqual([THREAD])
    })

    it('does not find the threads of another user', async () => {
      const store = await open()
      await addThread(store, { id: OTHER_THREAD, userId: OTHER_USER, title: 'Walrus' })
      expect(await found(store, 'walrus')).toEqual([])
    })

    it('ranks a thread about the words before one that mentions them', async () => {
      const store = await open()
      const filler = 'many other words about all sorts of things '.repeat(20)
      await addThread(store, {
        id: 'mentions',
        asked: `${filler} walrus ${filler}`,
        answer: filler,
        at: 5_000,
      })
      await addThread(store, {
        id: 'about',
        title: 'Walrus',
        asked: 'Where is the walrus?',
        answer: 'The walrus is here.',
      })
      expect(await found(store, 'walrus')).toEqual(['about', 'mentions'])
      expect(await found(store, 'walrus', 1)).toEqual(['about'])
    })

    it('shows the words around the match on one line', async () => {
      const store = await open()
      const filler = 'one two three four five\n'.repeat(100)
      await addThread(store, { asked: `${filler}a\nhidden\twalrus\r\nsleeps ${filler}` })
      const [hit] = await store.threads.search({ userId: USER, words: 'walrus' })
      expect(hit!.excerpt).toMatch(/hidden.*walrus.*sleeps/)
      expect(hit!.excerpt).not.toMatch(/[\r\n\t]/)
      expect(hit!.excerpt.length).toBeLessThan(400)
      expect(hit!.thread).toEqual(await store.threads.get(THREAD))
    })

    it.each(['', '   ', '"', '*', '""', '-', '()', '\0', '\ud83d'])('finds nothing for %j', async (words) => {
      const store = await open()
      await addThread(store, {})
      expect(await found(store, words)).toEqual([])
    })

    it.each([
      'walrus OR penguin',
      'penguin OR walrus',
      'NOT penguin',
      'walrus NOT penguin',
      'walrus -penguin',
      '"a* OR',
      '"walrus penguin',
      'NEAR(walrus penguin)',
      'title:penguin',
      '^penguin',
      '{a b}:penguin',
      "penguin' OR 1=1 --",
      'penguin%',
      '_____',
      'penguin & !walrus | x:*',
    ])('treats %j as words and not as operators', async (words) => {
      const store = await open()
      await addThread(store, { title: 'Walrus' })
      expect(await found(store, words)).toEqual([])
    })

    it('finds words that look like operators', async () => {
      const store = await open()
      await addThread(store, { asked: 'Is it this OR that, AND NOT near?' })
      for (const words of ['or', 'OR', 'AND NOT', 'NEAR', '"this" OR "that"']) {
        expect([words, await found(store, words)]).toEqual([words, [THREAD]])
      }
    })

    it('accepts a very long query', async () => {
      const store = await open()
      await addThread(store, { asked: 'walrus' })
      expect(await found(store, 'walrus '.repeat(2_000))).toEqual([THREAD])
      expect(await found(store, 'x'.repeat(100_000))).toEqual([])
    })

    it('does not find a deleted thread', async () => {
      const store = await open()
      await addThread(store, { title: 'Walrus' })
      await store.threads.delete(THREAD)
      await store.threads.create({ id: THREAD, userId: USER, at: 9_000 })
      expect(await found(store, 'walrus')).toEqual([])
      expect(await store.runs.get(RUN)).toBeUndefined()
    })
  })
}

interface SearchedThread {
  readonly id?: string
  readonly userId?: string
  readonly title?: string
  readonly at?: number
  readonly asked?: string
  readonly answer?: string
  readonly more?: readonly LedgerRecord[]
}
