import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { ARTIFACTS } from './fixtures/artifacts.ts'
import { startAssistant } from './fixtures/assistant.fixture.ts'
import { writeLongThread } from './fixtures/long-thread.fixture.ts'
import { mainThreadTasks, TASK_CATEGORIES } from './fixtures/main-thread-tasks.ts'
import { composer, lastAnswer, userMessages, send } from './fixtures/person.fixture.ts'
import { logIn } from './fixtures/log-in.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'
import { startStreamingModel } from './fixtures/streaming-model.fixture.ts'

const BUDGETS = {
  scriptBytes: 300_000,
  usableMs: 1500,
  longTaskMs: 200,
  keyToPaintMs: 100,
}
/** How often a measurement is tried: other programs may use the processor, so the best one counts. */
const TRIES = 3

const stage = openStage()
const measured: Record<string, unknown> = {}
afterAll(async () => {
  await mkdir(ARTIFACTS, { recursive: true })
  await writeFile(join(ARTIFACTS, 'budgets.json'), `${JSON.stringify(measured, null, 2)}\n`)
})

/** Measures until one result is within the budget; the best result is kept. */
async function best(name: string, budget: number, measure: () => Promise<number>): Promise<number> {
  const tries: number[] = []
  while (tries.length < TRIES && !tries.some((one) => one < budget)) tries.push(await measure())
  measured[name] = { best: Math.min(...tries), tries, budget }
  return Math.min(...tries)
}

describe('the first visit', () => {
  it('needs at most 300 KB of script, compressed', async () => {
    const { page } = await stage.visit()
    await composer(page).waitFor()
    const scripts = await page.evaluate<readonly (readonly [string, number])[]>(`performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])`)
    const bytes = scripts.reduce((sum, [, size]) => sum + size, 0)
    measured['script bytes'] = { bytes, scripts, budget: BUDGETS.scriptBytes }
    expect(scripts.length).toBeGreaterThan(1)
    expect(bytes).toBeLessThanOrEqual(BUDGETS.scriptBytes)
  })

  it('can be used within 1.5 seconds', async () => {
    const usableMs = await best('first usable paint', BUDGETS.usableMs, async () => {
      const { page, context } = await stage.visit()
      await context.addInitScript(NOTE_WHEN_USABLE)
      // An empty cache: only the login was loaded before.
      const session = await context.newCDPSession(page)
      await session.send('Network.clearBrowserCache')
      await page.goto(stage.assistant.url)
      await soon(() => page.evaluate('window.usableAt ?? 0')).toBeGreaterThan(0)
      return page.evaluate<number>('window.usableAt')
    })
    expect(usableMs).toBeLessThan(BUDGETS.usableMs)
  })
})

/** Notes the first paint at which the composer can be used. */
const NOTE_WHEN_USABLE = `(() => {
  const look = () => {
    const box = document.querySelector('textarea')
    if (box && !box.disabled) requestAnimationFrame(() => setTimeout(() => { window.usableAt = performance.now() }))
    else requestAnimationFrame(look)
  }
  look()
})()`

describe('a thread of 2,000 messages and 500 calls', () => {
  it('opens and scrolls from the first to the last message without a task above 200 ms', async () => {
    const home = await mkdtemp(join(tmpdir(), 'capstan-long-'))
    const { threadId, messages, calls } = await writeLongThread(home)
    expect({ messages, calls }).toEqual({ messages: 2000, calls: 500 })
    const assistant = await startAssistant({ home })
    try {
      const context = await stage.browser.newContext({ viewport: { width: 1280, height: 800 } })
      const page = await context.newPage()
      await logIn(page, assistant.link())
      await composer(page).waitFor()
      await stage.browser.startTracing(page, { categories: TASK_CATEGORIES })
      await page.goto(new URL(`/t/${threadId}`, assistant.url).href)
      await userMessages(page).filter({ hasText: 'Question 1000' }).waitFor()
      const frames = await scrollThrough(page)
      await userMessages(page).filter({ hasText: 'Question 1000' }).waitFor()
      const tasks = mainThreadTasks(await stage.browser.stopTracing())
      await context.close()
      // Other programs may use the processor. Their time is recorded and does not count.
      const longestMs = Math.max(...tasks.map(({ processorMs }) => processorMs))
      const longestWallMs = Math.max(...tasks.map(({ wallMs }) => wallMs))
      measured['longest task in a long thread'] = {
        longestMs,
        longestWallMs,
        tasks: tasks.length,
        frames,
        budget: BUDGETS.longTaskMs,
      }
      expect(frames).toBeGreaterThan(100)
      expect(longestMs).toBeGreaterThan(1)
      expect(longestMs).toBeLessThan(BUDGETS.longTaskMs)
    } finally {
      await assistant.close()
    }
  })
})

/** Scrolls from the first message to the last, more than a screen per frame. Resolves with the number of frames. */
async function scrollThrough(page: Page): Promise<number> {
  await page.getByRole('region', { name: 'Messages' }).focus()
  await page.keyboard.press('Home')
  await userMessages(page)
    .filter({ hasText: /Question 1:/ })
    .waitFor()
  return page.evaluate<number>(`new Promise((resolve) => {
    const list = document.activeElement
    let frames = 0
    let still = 0
    const step = () => {
      const before = list.scrollTop
      list.scrollTop += list.clientHeight * 1.5
      frames++
      still = list.scrollTop === before ? still + 1 : 0
      if (still > 10 || frames > 5000) resolve(frames)
      else requestAnimationFrame(step)
    }
    step()
  })`)
}

describe('while 200 words per second arrive', () => {
  it('a typed key is painted within 100 ms in 95 of 100 cases', async () => {
    const model = await startStreamingModel({ deltas: 2400, perSecond: 200 })
    await stage.assistant.change({ model: model.model })
    try {
      const keyToPaint = await best('key to paint, p95', BUDGETS.keyToPaintMs, async () => {
        const { page } = await stage.visit()
        await send(page, 'Talk to me')
        await lastAnswer(page).getByText('ferry').first().waitFor()
        await page.evaluate(NOTE_KEYS)
        const words = 'When it rains we take the later ferry and wait for it at the harbour light. '
        const before = (await lastAnswer(page).innerText()).length
        await composer(page).pressSequentially(words, { delay: 40 })
        expect(await composer(page).inputValue()).toBe(words)
        // The answer kept streaming while the person typed.
        expect((await lastAnswer(page).innerText()).length).toBeGreaterThan(before)
        const delays = await page.evaluate<readonly number[]>('window.keyDelays()')
        await page
          .getByRole('button', { name: /^Stop|^Add to this turn/ })
          .first()
          .waitFor()
        // The browser does not report faster events.
        const all = [...delays, ...Array<number>(Math.max(0, words.length - delays.length)).fill(0)]
        const sorted = all.toSorted((one, other) => one - other)
        measured['keys'] = { keys: words.length, slowest: sorted.slice(-8) }
        return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0
      })
      expect(keyToPaint).toBeLessThan(BUDGETS.keyToPaintMs)
    } finally {
      await stage.assistant.change({ model: '' })
      await model.close()
    }
  })
})

/** The time from a key press to the next paint, as the browser measures it. */
const NOTE_KEYS = `(() => {
  const delays = []
  const take = (entries) => {
    for (const { name, duration } of entries) if (name === 'keydown') delays.push(duration)
  }
  const observer = new PerformanceObserver((list) => take(list.getEntries()))
  observer.observe({ type: 'event', durationThreshold: 16 })
  window.keyDelays = () => {
    take(observer.takeRecords())
    return delays
  }
})()`
