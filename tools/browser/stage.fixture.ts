import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { ARTIFACTS } from './artifacts.ts'
import type { RunningAssistant, StartOptions } from './assistant.fixture.ts'
import { startAssistant } from './assistant.fixture.ts'
import { launchBrowser } from './launch-browser.ts'

/** How long anything may take until it can be seen. The machine may be busy with other things. */
const PATIENCE_MS = 15_000

/** A person at a browser of their own, who is logged in. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Keeps a picture of what the page shows now. */
  readonly shoot: (step: string, of?: Page) => Promise<void>
  /** Something the browser will complain about, and rightly so. */
  readonly expectComplaint: (pattern: RegExp) => void
}

interface VisitOptions extends BrowserContextOptions {
  /** Where to go first. Default: the start. */
  readonly path?: string
  /** Without a login. */
  readonly isStranger?: boolean
}

/** An assistant and a browser for all tests of a file. Each test begins without data. */
export interface Stage {
  readonly assistant: RunningAssistant
  readonly browser: Browser
  visit(options?: VisitOptions): Promise<Visit>
}

interface Complaint {
  readonly text: string
  readonly url: string
}

/**
 * Registers what starts and ends it. A test fails on any error of a page: one on its console, one nobody caught, or
 * something that the content policy forbids.
 */
export function openStage(options: StartOptions = {}): Stage {
  let assistant: RunningAssistant
  let browser: Browser
  let contexts: BrowserContext[] = []
  let complaints: Complaint[] = []
  let expected: RegExp[] = []
  let pictures = 0

  beforeAll(async () => {
    ;[assistant, browser] = await Promise.all([startAssistant(options), launchBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await assistant?.close()
  })
  beforeEach(async () => {
    contexts = []
    complaints = []
    expected = []
    pictures = 0
    await assistant.reset()
  })
  afterEach(async (test) => {
    const pages = contexts.flatMap((context) => context.pages())
    if (test.task.result?.state === 'fail')
      await Promise.all(pages.map((page, index) => shoot(page, `failed-${index + 1}`).catch(() => {})))
    await Promise.all(contexts.map((context) => context.close()))
    const unexpected = complaints.filter(
      ({ text, url }) => !expected.some((one) => one.test(`${text} ${url}`)),
    )
    expect(unexpected, 'what the pages complained of').toEqual([])
  })

  function watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push({ text: message.text(), url: message.location().url })
    })
    page.on('pageerror', (error) =>
      complaints.push({ text: `not caught: ${error.message}`, url: page.url() }),
    )
  }

  async function shoot(page: Page, step: string): Promise<void> {
    const { testPath = '', currentTestName = '' } = expect.getState()
    const file = /([\w-]+)\.test\.ts$/.exec(testPath)?.[1] ?? 'other'
    const folder = join(ARTIFACTS, file, toFileName(currentTestName))
    await mkdir(folder, { recursive: true })
    const number = String(++pictures).padStart(2, '0')
    await page.screenshot({ path: join(folder, `${number}-${toFileName(step)}.png`) })
  }

  return {
    get assistant() {
      return assistant
    },
    get browser() {
      return browser
    },
    async visit({ path = '/', isStranger = false, ...contextOptions } = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        locale: 'en-GB',
        timezoneId: 'UTC',
        ...contextOptions,
      })
      contexts.push(context)
      context.setDefaultTimeout(PATIENCE_MS)
      context.on('page', watch)
      await context.addInitScript(REPORT_VIOLATIONS)
      const page = await context.newPage()
      if (!isStranger) await page.goto(assistant.link())
      if (isStranger || path !== '/') await page.goto(new URL(path, assistant.url).href)
      return {
        page,
        context,
        shoot: (step, of = page) => shoot(of, step),
        expectComplaint: (pattern) => void expected.push(pattern),
      }
    },
  }
}

/** Runs in every page, before its own scripts. */
const REPORT_VIOLATIONS = `
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('against the content policy: ' + violatedDirective + ' ' + blockedURI))`

function toFileName(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80)
}

/** Asserts what will be so in a moment. */
export const soon: typeof expect.poll = (read, given) =>
  expect.poll(read, { timeout: PATIENCE_MS, interval: 50, ...given })
