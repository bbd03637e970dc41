import { describe, expect, it } from 'vitest'
import { chooseLanguage, matchLanguage } from './language.ts'

describe('the language of the app', () => {
  it('is the nearest to what the browser prefers', () => {
    expect(matchLanguage(['pt-BR', 'en'])).toBe('pt')
    expect(matchLanguage(['zh'])).toBe('zh-CN')
    expect(matchLanguage(['zh-Hant-TW', 'en'])).toBe('zh-CN')
    expect(matchLanguage(['DE_at'])).toBe('de')
    expect(matchLanguage(['sv', 'fr-CA', 'en'])).toBe('fr')
  })

  it('is none when we speak none', () => {
    expect(matchLanguage(['sv', 'ido', ''])).toBeUndefined()
    expect(matchLanguage([])).toBeUndefined()
  })

  it('is what was set, above what the browser prefers', () => {
    expect(chooseLanguage('ja', ['de'])).toBe('ja')
    expect(chooseLanguage('', ['de'])).toBe('de')
    expect(chooseLanguage(undefined, ['de'])).toBe('de')
    expect(chooseLanguage('tlh', ['de'])).toBe('de')
    expect(chooseLanguage('', ['tlh'])).toBe('en')
  })
})
