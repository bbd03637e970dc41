// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { isVisitable, openSignInWindow } from './sign-in-window.ts'

function fakeWindow(): { readonly window: Window; readonly visited: string[] } {
  const visited: string[] = []
  const window = {
    closed: false,
    opener: {},
    document: document.implementation.createHTMLDocument(),
    location: { replace: (url: string) => visited.push(url) },
    close(this: { closed: boolean }) {
      this.closed = true
    },
  }
  return { window: window as unknown as Window, visited }
}

describe('the sign-in window', () => {
  it('is opened at once with words in it, and goes to the service cut off from us', () => {
    const { window, visited } = fakeWindow()
    const signIn = openSignInWindow('Opening', () => window)
    expect(window.document.body.textContent).toBe('Opening')
    expect(signIn.go('https://service.example/consent')).toBe(true)
    expect(visited).toEqual(['https://service.example/consent'])
    expect(window.opener).toBeNull()
  })

  it('says when the browser kept it closed or threw', () => {
    expect(openSignInWindow('', () => null)).toMatchObject({ isBlocked: true })
    const thrown = openSignInWindow('', () => {
      throw new Error('no windows here')
    })
    expect(thrown.isBlocked).toBe(true)
    expect(thrown.go('https://service.example')).toBe(false)
  })

  it('goes nowhere once the person has closed it', () => {
    const { window, visited } = fakeWindow()
    const signIn = openSignInWindow('', () => window)
    window.close()
    expect(signIn.go('https://service.example')).toBe(false)
    expect(visited).toEqual([])
  })

  it('never opens what would run as us', () => {
    const { window, visited } = fakeWindow()
    expect(openSignInWindow('', () => window).go('javascript:alert(1)')).toBe(false)
    expect(visited).toEqual([])
    expect(isVisitable('data:text/html,hi')).toBe(false)
    expect(isVisitable('http://127.0.0.1:4000/consent')).toBe(true)
    expect(isVisitable('/relative')).toBe(false)
  })
})
