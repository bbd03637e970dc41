// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import { reloadOnUpdate } from './reload-on-update.ts'

describe('reloadOnUpdate', () => {
  beforeEach(() => sessionStorage.clear())

  it('reloads the app once when one of its files is gone', () => {
    let reloads = 0
    reloadOnUpdate(() => reloads++)
    const first = new Event('vite:preloadError', { cancelable: true })
    window.dispatchEvent(first)
    const second = new Event('vite:preloadError', { cancelable: true })
    window.dispatchEvent(second)
    expect(reloads).toBe(1)
    expect([first.defaultPrevented, second.defaultPrevented]).toEqual([true, false])
  })
})
