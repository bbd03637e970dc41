import type { TriggerSourceCreated, TriggerSourceList } from '@capstan/protocol'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startJudgingModel } from './fixtures/judging-model.fixture.ts'
import { untilAnswerContains } from './fixtures/person.fixture.ts'
import { callAsGitHub } from './fixtures/signed-call.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

const model = await startJudgingModel()
afterAll(() => model.close())
const stage = openStage()
beforeEach(() => stage.assistant.change({ model: model.model }))

const SECRET = 'a-secret-of-some-length'
const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name })
const item = (page: Page, title: string): Locator => page.getByRole('article', { name: title })

/** A source that was created before the visit. */
async function addSource(name = 'Our house'): Promise<string> {
  const post = { kind: 'github', name, secret: SECRET }
  const { source } = await stage.assistant.ask<TriggerSourceCreated>('POST', '/api/trigger-sources', post)
  return new URL(source.path!, stage.assistant.url).href
}
const sources = async () =>
  (await stage.assistant.ask<TriggerSourceList>('GET', '/api/trigger-sources')).sources

describe('triggers', () => {
  it('are set up on the page, called by the service, decided with a reason, and corrected', async () => {
    const { page, shoot } = await stage.visit({ path: '/automations' })
    await page.getByText('Nothing has come in yet').waitFor()
    await shoot('nothing yet')
    await page.getByRole('link', { name: 'Set up a trigger' }).click()
    await page.getByText('No sources yet').waitFor()
    await shoot('no sources')
    await page.getByRole('button', { name: 'Add a source' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Where from' }).selectOption('github')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Enter a name.').waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Our house')
    await dialog.getByRole('button', { name: 'Only builds that failed' }).click()
    await dialog.getByRole('switch', { name: 'Quiet hours' }).click()
    await dialog.getByLabel('From', { exact: true }).fill('03:00')
    await dialog.getByLabel('To', { exact: true }).fill('03:00')
    await shoot('a new source')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('The secret is shown only now.').waitFor()
    await shoot('address and secret')
    const [address, secret] = await dialog.locator('code').allInnerTexts()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await item(page, 'Our house').getByText('No recent call').waitFor()
    expect(await page.content()).not.toContain(secret!)

    expect(await callAsGitHub(address!, 'another secret', { event: 'star', title: 'starred' })).toBe(401)
    expect(await callAsGitHub(address!, secret!, { event: 'star', title: 'starred again' })).toBe(202)
    expect(await callAsGitHub(address!, secret!, { event: 'check', title: 'a <b>build</b> failed' })).toBe(
      202,
    )
    await item(page, 'Our house').getByText('Decisions today: 2').waitFor()
    await shoot('a source')
    expect(model.judged.every((text) => !text.includes(secret!))).toBe(true)

    await tab(page, 'Activity').click()
    const star = item(page, 'star created in ada/house by bo starred again')
    await star.getByText('Dropped').waitFor()
    await star.getByText('Stars need nobody.').waitFor()
    const build = item(page, 'check created in ada/house by bo a <b>build</b> failed')
    await build.getByText('Done').waitFor()
    await shoot('activity')
    await star.getByRole('button', { name: 'Show what came in' }).click()
    await star.getByText('"full_name": "ada/house"').waitFor()
    await shoot('what came in')

    await star.getByRole('button', { name: 'That was wrong' }).click()
    const ask = page.getByRole('dialog')
    await ask.getByRole('radio', { name: 'Only note it' }).check()
    await ask.getByRole('textbox').fill('I count them.')
    await shoot('what would have been right')
    await ask.getByRole('button', { name: 'Save as an example' }).click()
    await star.getByText('You said: Only note it').waitFor()
    await callAsGitHub(address!, secret!, { event: 'star', title: 'starred a third time' })
    await item(page, 'star created in ada/house by bo starred a third time').getByText('Dropped').waitFor()
    expect(model.judged.at(-1)).toContain('Right: acknowledge. The user says: I count them.')

    await page.getByRole('combobox', { name: 'Decision' }).selectOption({ label: 'Worked on' })
    await soon(() => star.count()).toBe(0)
    await build.getByRole('link', { name: 'Open the conversation' }).click()
    await untilAnswerContains(page, 'I propose to call a plumber.')
  })

  it('that are switched off are dropped, and no model sees them', async () => {
    const address = await addSource()
    const before = model.judged.length
    const { page, shoot } = await stage.visit({ path: '/automations/triggers' })
    await page.getByRole('switch', { name: 'Receive triggers' }).click()
    await item(page, 'Our house').getByText('All are off').waitFor()
    await shoot('all off')
    expect(await callAsGitHub(address, SECRET, { event: 'issues', title: 'a leak' })).toBe(202)
    await tab(page, 'Activity').click()
    const leak = item(page, 'issues created in ada/house by bo a leak')
    await leak.getByText('It was switched off. No model has seen it.').waitFor()
    expect(await leak.getByRole('button', { name: 'That was wrong' }).count()).toBe(0)
    expect(model.judged).toHaveLength(before)
    await tab(page, 'Triggers').click()
    await page.getByRole('switch', { name: 'Receive triggers' }).click()
    await page.getByRole('switch', { name: 'Receive from Our house' }).click()
    await item(page, 'Our house').getByText('Off', { exact: true }).waitFor()
    expect((await sources())[0]?.isOff).toBe(true)
  })

  it('that are escalated wait in the list of every page until they were seen', async () => {
    const address = await addSource()
    const { page, shoot } = await stage.visit()
    await callAsGitHub(address, SECRET, { event: 'issues', title: 'a leak' })
    const waiting = page.getByRole('button', { name: /^Waiting for you/ })
    await waiting.click()
    await page.getByRole('menuitem', { name: /^Asks you: .*a leak/ }).waitFor()
    await shoot('told')
    await page.getByRole('menuitem', { name: /^Asks you: .*a leak/ }).click()
    await untilAnswerContains(page, 'I propose to call a plumber.')
    await soon(() => waiting.count()).toBe(0)
    await page.reload()
    await untilAnswerContains(page, 'I propose to call a plumber.')
    expect(await waiting.count()).toBe(0)
  })
})

describe('a source', () => {
  it('is changed, tested, gets a new secret, forgets an example and is deleted', async () => {
    const address = await addSource()
    const { page, shoot } = await stage.visit({ path: '/automations/triggers' })
    const choose = async (name: string, of = 'Our house'): Promise<void> => {
      await page.getByRole('button', { name: `Actions for ${of}` }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Edit')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('The house')
    await dialog.getByRole('spinbutton', { name: 'Runs per day' }).fill('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await item(page, 'The house').getByText('Runs today: 0 of 3').waitFor()
    await choose('Send a test', 'The house')
    await page.getByText('A test was sent.').waitFor()
    await tab(page, 'Activity').click()
    await item(page, 'Test').getByText('Noted').waitFor()
    await item(page, 'Test').getByRole('button', { name: 'That was wrong' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save as an example' }).click()
    await item(page, 'Test').getByText('You said: Drop it').waitFor()
    await tab(page, 'Triggers').click()
    await choose('Examples', 'The house')
    await dialog.getByText('You said: Drop it').waitFor()
    await shoot('examples')
    await dialog.getByRole('button', { name: 'Remove the example “Test”' }).click()
    await dialog.getByText('Nothing was said to be wrong yet.').waitFor()
    await page.keyboard.press('Escape')

    await choose('New secret', 'The house')
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await dialog.getByText('The secret is shown only now.').waitFor()
    await page.keyboard.press('Escape')
    expect(await callAsGitHub(address, SECRET, { event: 'star', title: 'starred' })).toBe(401)
    await choose('Delete', 'The house')
    await shoot('delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No sources yet').waitFor()
    expect(await callAsGitHub(address, SECRET, { event: 'star', title: 'starred' })).toBe(404)
  })

  it('is created, and a decision corrected, by keyboard alone', async () => {
    const { page } = await stage.visit({ path: '/automations/triggers' })
    const add = page.getByRole('button', { name: 'Add a source' })
    await add.waitFor()
    await tabTo(page, add)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await tabTo(page, dialog.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type('Our house')
    await page.keyboard.press('Enter')
    const copy = dialog.getByRole('button', { name: 'Copy the address' })
    await copy.waitFor()
    const [address, secret] = await dialog.locator('code').allInnerTexts()
    await tabTo(page, copy)
    await tabTo(page, dialog.getByRole('button', { name: 'Done' }))
    await page.keyboard.press('Enter')
    await soon(() => dialog.count()).toBe(0)
    await callAsGitHub(address!, secret!, { event: 'star', title: 'starred' })
    await tabTo(page, tab(page, 'Triggers'), 'Shift+Tab')
    await page.keyboard.press('ArrowLeft')
    const wrong = page.getByRole('button', { name: 'That was wrong' })
    await wrong.waitFor()
    await tabTo(page, wrong)
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('ArrowDown')
    await tabTo(page, dialog.getByRole('button', { name: 'Save as an example' }))
    await page.keyboard.press('Enter')
    await page.getByText('You said: Only note it').waitFor()
    expect((await sources())[0]?.examples).toBe(1)
  })
})

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const hasFocus = (): Promise<boolean> =>
    target.evaluate((element) => element === element.ownerDocument.activeElement)
  for (let presses = 0; presses < 60; presses++) {
    if (await hasFocus()) return
    await page.keyboard.press(key)
  }
  throw new Error(`${String(target)} cannot be reached with ${key}`)
}
