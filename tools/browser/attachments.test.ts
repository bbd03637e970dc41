import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { composer, userMessages, untilAnswered } from './fixtures/person.fixture.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

const stage = openStage()

/** An image of two by two pixels. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg=='

interface GivenFile {
  readonly name: string
  readonly type: string
  readonly base64?: string
  /** Filled with zeros. */
  readonly bytes?: number
}

/** Runs in the page. */
const HAND_OVER = `({ how, name, type, base64, bytes }) => {
  const box = document.activeElement
  const content = base64 ? Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0)) : new Uint8Array(bytes)
  const data = new DataTransfer()
  data.items.add(new File([content], name, { type }))
  const options = { bubbles: true, cancelable: true }
  if (how === 'paste') box.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }))
  else
    for (const step of ['dragenter', 'dragover', 'drop'])
      box.dispatchEvent(new DragEvent(step, { ...options, dataTransfer: data }))
}`

/** Dispatches a paste or a drop as the browser does. */
async function give(page: Page, how: 'paste' | 'drop', file: GivenFile): Promise<void> {
  await composer(page).focus()
  await page.evaluate(`(${HAND_OVER})(${JSON.stringify({ how, ...file })})`)
}

const files = (page: Page) => page.getByRole('list', { name: 'Files in this message' }).getByRole('listitem')

describe('attached files', () => {
  it('can be pasted and dropped, and an image is shown after a reload', async () => {
    const { page, shoot } = await stage.visit()
    await composer(page).fill('What is on this picture?')
    await give(page, 'paste', { name: 'tide.png', type: 'image/png', base64: PNG })
    await soon(() => files(page).count()).toBe(1)
    await give(page, 'drop', { name: 'times.txt', type: 'text/plain', base64: btoa('18:40 from pier 4') })
    await soon(() => files(page).count()).toBe(2)
    await shoot('two files')
    await composer(page).press('Enter')
    await untilAnswered(page)
    const picture = userMessages(page).getByRole('img', { name: 'tide.png' })
    const width = (): Promise<number> =>
      picture.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth)
    await soon(width).toBe(2)
    await shoot('sent')
    await page.reload()
    await soon(width).toBe(2)
    expect(await userMessages(page).count()).toBe(1)
  })

  it('with text are named in the sent message', async () => {
    const { page, shoot } = await stage.visit()
    await composer(page).fill('When does it leave?')
    await give(page, 'drop', { name: 'times.txt', type: 'text/plain', base64: btoa('18:40 from pier 4') })
    await soon(() => files(page).count()).toBe(1)
    await composer(page).press('Enter')
    await untilAnswered(page)
    await shoot('sent')
    expect(await userMessages(page).innerText()).toContain('times.txt')
  })

  it('that are too large are refused by name, and the others are kept', async () => {
    const { page, shoot } = await stage.visit()
    await composer(page).fill('Look at these')
    await give(page, 'paste', { name: 'tide.png', type: 'image/png', base64: PNG })
    await soon(() => files(page).count()).toBe(1)
    await give(page, 'drop', { name: 'film.mov', type: 'video/quicktime', bytes: 11 * 1024 * 1024 })
    await page.getByRole('alert').filter({ hasText: 'film.mov' }).waitFor()
    await shoot('refused')
    expect(await files(page).count()).toBe(1)
    expect(await composer(page).inputValue()).toBe('Look at these')
    await composer(page).press('Enter')
    await untilAnswered(page)
    await userMessages(page).getByRole('img', { name: 'tide.png' }).waitFor()
    expect(await userMessages(page).innerText()).toContain('Look at these')
  })
})
