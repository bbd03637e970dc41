import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

it('the notes app prints its address, and exits on a stop signal', async () => {
  const child = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'exit')
  try {
    let printed = ''
    for await (const chunk of child.stdout) {
      printed += String(chunk)
      if (printed.includes('/mcp\n')) break
    }
    const url = /^Notes\s+(\S+)$/mu.exec(printed)?.[1] ?? ''
    const response = await fetch(url)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    await response.text()
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
})

it('the notes app refuses an invalid port', async () => {
  const child = spawn(process.execPath, [MAIN, '--port', 'many'], { stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([2, null])
})
