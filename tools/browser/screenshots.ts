import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ApprovalRow, RunPage, ScheduleRow, SyncList } from '@capstan/protocol'
import { WELCOME_PROMPTS } from '@capstan/protocol'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { addTriggers } from './fixtures/add-triggers.ts'
import type { RunningAssistant } from './fixtures/assistant.fixture.ts'
import { startAssistant } from './fixtures/assistant.fixture.ts'
import { fillMemory } from './fixtures/fill-memory.ts'
import { launchBrowser } from './fixtures/launch-browser.ts'
import { logIn } from './fixtures/log-in.ts'

// Screenshots of every page for the documentation, with the data of the demo: `node tools/browser/screenshots.ts`.

const FOLDER = fileURLToPath(new URL('../../docs/screenshots', import.meta.url))
/** Shown on some pages, so it has a fixed name. */
const HOME = join(tmpdir(), 'capstan-demo')

interface Look {
  readonly name: string
  readonly language: string
  readonly context: BrowserContextOptions
}

const DESKTOP = { width: 1280, height: 800 }
const LOOKS: readonly Look[] = [
  { name: 'light', language: 'en', context: { viewport: DESKTOP, colorScheme: 'light' } },
  { name: 'dark', language: 'en', context: { viewport: DESKTOP, colorScheme: 'dark' } },
  {
    name: 'phone',
    language: 'en',
    context: { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true, hasTouch: true },
  },
  { name: 'arabic', language: 'ar', context: { viewport: DESKTOP, colorScheme: 'light', locale: 'ar' } },
]

const promptOf = (id: string): string => WELCOME_PROMPTS.find((prompt) => prompt.id === id)?.text ?? ''

/** Visits every page in one theme and language. Nothing here depends on the language of the page. */
async function tour(assistant: RunningAssistant, page: Page, look: Look): Promise<void> {
  const take = async (name: string): Promise<void> => {
    await page.mouse.move(0, 0)
    await page.evaluate('document.fonts.ready.then(() => {})')
    const path = join(FOLDER, `${name}-${look.name}.png`)
    await page.screenshot({ path, animations: 'disabled', caret: 'hide', scale: 'css' })
  }
  const main = page.getByRole('main')
  const go = (path: string) => page.goto(new URL(path, assistant.url).href)

  await logIn(page, assistant.link())
  await main.getByRole('listitem').first().waitFor()
  await take('welcome')

  await main.getByRole('listitem').first().getByRole('button').click()
  const card = main.locator('[data-connection]')
  await card.getByRole('button').first().waitFor()
  await take('connect')
  const [consent] = await Promise.all([
    page.context().waitForEvent('page'),
    card.getByRole('button').first().click(),
  ])
  await consent.getByRole('button', { name: 'Allow' }).click()
  await main.locator('[data-approval]').waitFor()
  await take('approval')
  await allow(assistant)
  await openTimeline(page)
  await take('chat')

  await ask(page, promptOf('sub-agents'), go)
  await openTimeline(page)
  await take('sub-agents')
  await ask(page, promptOf('failure'), go)
  await main.locator('[data-approval]').waitFor()
  await allow(assistant)
  await openTimeline(page)
  await take('failure')

  await go('/connections')
  await main.getByRole('article').first().waitFor()
  await main.locator('.sync-part').getByRole('switch').click()
  await page.getByRole('dialog').locator('.sync-estimate').waitFor()
  await take('sync')
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await untilSynced(assistant)
  await go('/connections')
  await main.getByRole('switch').first().waitFor()
  await take('connections')
  await main.getByRole('button').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio').nth(1).check()
  await dialog.getByRole('textbox').first().fill('npx -y @modelcontextprotocol/server-memory')
  await take('add-server')

  await addTriggers(assistant)
  await go('/automations')
  await main.getByRole('article').nth(1).waitFor()
  await take('activity')
  await go('/automations/triggers')
  await main.getByRole('article').first().waitFor()
  await take('triggers')
  await fillMemory(assistant)
  await go('/memory')
  await main.getByRole('searchbox').fill('boiler')
  await main.locator('mark').first().waitFor()
  await take('memory')
  await go('/memory/facts')
  await main.getByRole('listitem').first().waitFor()
  await take('facts')

  await go('/runs')
  await main.getByRole('table').last().waitFor()
  await take('runs')
  const { runs } = await assistant.ask<RunPage>('GET', '/api/runs')
  const team = runs.find(({ text }) => text === promptOf('sub-agents'))
  await go(`/runs/${team?.id ?? ''}`)
  await main.getByRole('tree').waitFor()
  await main
    .getByRole('tablist')
    .first()
    .evaluate((tabs) => tabs.scrollIntoView({ block: 'start' }))
  await take('run')

  await addSchedules(assistant)
  await go('/automations/schedules')
  await main.getByRole('article').nth(1).waitFor()
  await take('schedules')
  await main.getByRole('button').first().click()
  await dialog.getByRole('textbox').first().fill(promptOf('connect'))
  await dialog.getByRole('status').getByRole('listitem').last().waitFor()
  await take('add-schedule')
  await go('/automations/jobs')
  await main.getByRole('article').nth(1).waitFor()
  await take('jobs')

  await go('/settings')
  await main.getByRole('radio').first().waitFor()
  await take('settings')
  await go('/diagnostics')
  await main.getByRole('status').first().waitFor()
  await main.getByRole('listitem').nth(8).waitFor()
  await take('diagnostics')
}

/** Two schedules. The first one runs once. */
async function addSchedules(assistant: RunningAssistant): Promise<void> {
  const add = (body: object): Promise<ScheduleRow> =>
    assistant.ask('POST', '/api/schedules', { zone: 'UTC', ...body })
  const clock = await add({ prompt: 'What time is it?', when: 'every weekday at 8' })
  await add({ prompt: promptOf('sub-agents'), when: '30 17 * * 5' })
  await assistant.ask('POST', `/api/schedules/${clock.id}/run-now`)
  for (;;) {
    const { runs } = await assistant.ask<ScheduleRow>('GET', `/api/schedules/${clock.id}`)
    if (runs[0]?.outcome === 'done') return
  }
}

async function untilSynced(assistant: RunningAssistant): Promise<void> {
  for (;;) {
    const { syncs } = await assistant.ask<SyncList>('GET', '/api/syncs')
    if (syncs.some(({ lastDoneAt }) => lastDoneAt !== undefined)) return
  }
}

async function ask(page: Page, words: string, go: (path: string) => Promise<unknown>): Promise<void> {
  await go('/')
  await page.getByRole('textbox').fill(words)
  await page.getByRole('textbox').press('Enter')
}

async function allow(assistant: RunningAssistant): Promise<void> {
  const { approvals } = await assistant.ask<{ readonly approvals: readonly ApprovalRow[] }>(
    'GET',
    '/api/approvals',
  )
  for (const { id } of approvals)
    await assistant.ask('POST', `/api/approvals/${id}`, { decision: 'allow-once' })
}

/** Waits until the turn is over. */
async function openTimeline(page: Page): Promise<void> {
  const answer = page.getByRole('main').getByRole('article').last()
  await page.locator('article[aria-busy]').waitFor({ state: 'detached' })
  await answer.getByRole('button', { expanded: false }).first().click()
  await answer.getByRole('list').first().waitFor()
  await page.getByRole('main').getByRole('article').first().scrollIntoViewIfNeeded()
}

await mkdir(FOLDER, { recursive: true })
const browser = await launchBrowser()
try {
  for (const look of LOOKS) {
    await rm(HOME, { recursive: true, force: true })
    const assistant = await startAssistant({ home: HOME })
    try {
      await assistant.change({ language: look.language })
      const context = await browser.newContext({
        deviceScaleFactor: 1,
        reducedMotion: 'reduce',
        timezoneId: 'UTC',
        ...look.context,
      })
      await tour(assistant, await context.newPage(), look)
      await context.close()
    } finally {
      await assistant.close()
    }
    process.stdout.write(`${look.name}\n`)
  }
} finally {
  await browser.close()
}
