import { describe, expect, it } from 'vitest'
import { chooseLanguage, matchLanguage, withRegion } from './language.ts'

describe('the language of the app', () => {
  it('is the nearest to the preferences of the browser', () => {
    expect(matchLanguage(['pt-BR', 'en'])).toBe('pt')
    expect(matchLanguage(['zh'])).toBe('zh-CN')
    expect(matchLanguage(['zh-Hant-TW', 'en'])).toBe('zh-CN')
    expect(matchLanguage(['DE_at'])).toBe('de')
    expect(matchLanguage(['sv', 'fr-CA', 'en'])).toBe('fr')
  })

  it('is undefined when the app has none of the preferred languages', () => {
    expect(matchLanguage(['sv', 'ido', ''])).toBeUndefined()
    expect(matchLanguage([])).toBeUndefined()
  })

  it('is the one of the settings before the one of the browser', () => {
    expect(chooseLanguage('ja', ['de'])).toBe('ja')
    expect(chooseLanguage('', ['de'])).toBe('de')
    expect(chooseLanguage(undefined, ['de'])).toBe('de')
    expect(chooseLanguage('tlh', ['de'])).toBe('de')
    expect(chooseLanguage('', ['tlh'])).toBe('en')
  })
})

describe('the region of the language', () => {
  it('is the region of the first preference in the same language', () => {
    expect(withRegion('en', ['de-DE', 'en-GB', 'en-US'])).toBe('en-GB')
    expect(withRegion('pt', ['pt-BR'])).toBe('pt-BR')
    expect(withRegion('zh-CN', ['zh-Hans-SG'])).toBe('zh-Hans-SG')
  })

  it('is not taken from another language or script, nor from an invalid tag', () => {
    expect(withRegion('en', ['de-AT'])).toBe('en')
    expect(withRegion('zh-CN', ['zh-TW'])).toBe('zh-CN')
    expect(withRegion('en', ['', 'e n', 'en_GB'])).toBe('en')
  })
})
