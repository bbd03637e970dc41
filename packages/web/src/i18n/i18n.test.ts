import { afterEach, describe, expect, it } from 'vitest'
import { i18n, setLanguage, translateInto } from './i18n.ts'

describe('i18n', () => {
  afterEach(async () => {
    await setLanguage('en')
  })

  it('inserts a value unchanged', () => {
    i18n.addResource('en', 'translation', 'test.values', 'Before {{name}} after {{context}}')
    const t = translateInto('en') as unknown as (key: string, params: object) => string
    const name = '$t(failures.why) {{context}} $& <b>'
    expect(t('test.values', { name, context: 'male' })).toBe(`Before ${name} after male`)
  })

  it('uses the plural forms and digits of the language', () => {
    i18n.addResource('ru', 'translation', 'test.files_one', '{{count}} файл')
    i18n.addResource('ru', 'translation', 'test.files_few', '{{count}} файла')
    i18n.addResource('ru', 'translation', 'test.files_many', '{{count}} файлов')
    i18n.addResource('bn', 'translation', 'test.files_other', '{{count}}টি ফাইল')
    const files = (language: 'ru' | 'bn', count: number): string =>
      (translateInto(language) as unknown as (key: string, params: object) => string)('test.files', { count })
    expect([1, 3, 5, 21, 1500].map((count) => files('ru', count))).toEqual([
      '1 файл',
      '3 файла',
      '5 файлов',
      '21 файл',
      '1\u00a0500 файлов',
    ])
    expect(files('bn', 12)).toBe('১২টি ফাইল')
  })

  it('isolates names in a right-to-left sentence', () => {
    i18n.addResource('ar', 'translation', 'test.named', 'تم {{name}}')
    const t = translateInto('ar') as unknown as (key: string, params: object) => string
    expect(t('test.named', { name: 'Notes (2)' })).toBe('تم \u2068Notes (2)\u2069')
  })

  it('ends with the language that was set last, however long the loads take', async () => {
    await Promise.all([setLanguage('ja'), setLanguage('it'), setLanguage('en'), setLanguage('de')])
    expect(i18n.language).toBe('de')
  })
})
