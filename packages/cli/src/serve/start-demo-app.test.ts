import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHome } from '../testing/stored-thread.ts'
import { startDemoApp } from './start-demo-app.ts'

describe('the demo app', () => {
  it('is found where it was, with what was written in it', async () => {
    const home = await createHome()
    const first = await startDemoApp(home)
    const pages = first.pages.list('ada')
    await first.close()
    const second = await startDemoApp(home)
    onTestFinished(() => second.close())
    expect(second.url).toBe(first.url)
    expect(second.pages.list('ada')).toEqual(pages)
  })

  it('goes elsewhere when its place is taken', async () => {
    const home = await createHome()
    const first = await startDemoApp(home)
    await first.close()
    const squatter = createServer()
    await new Promise<void>((resolve) =>
      squatter.listen(Number(new URL(first.url).port), '127.0.0.1', resolve),
    )
    onTestFinished(() => void squatter.close())
    const second = await startDemoApp(home)
    onTestFinished(() => second.close())
    expect(second.url).not.toBe(first.url)
  })
})
