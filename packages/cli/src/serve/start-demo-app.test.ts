import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHome } from '../testing/stored-thread.ts'
import { startDemoApp } from './start-demo-app.ts'

describe('startDemoApp', () => {
  it('keeps port and pages across restarts', async () => {
    const home = await createHome()
    const first = await startDemoApp(home)
    const pages = first.pages.list('ada')
    await first.close()
    const second = await startDemoApp(home)
    onTestFinished(() => second.close())
    expect(second.url).toBe(first.url)
    expect(second.pages.list('ada')).toEqual(pages)
  })

  it('takes another port when the last one is in use', async () => {
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
