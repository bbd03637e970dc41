import { WELCOME_PROMPTS } from '@capstan/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { en } from './en/index.ts'
import { i18n, setLanguage, translateInto } from './i18n.ts'
import type { Language } from './language.ts'
import { LANGUAGE_CODES } from './language.ts'
import { PLURALS } from './locale.ts'

/** Texts that are the same in every language, or in the named one. */
const SAME_EVERYWHERE: readonly string[] = [
  'Node {{version}}.',
  'Capstan',
  '/home/you/Documents',
  'Node.js',
  'Composio',
  '{{day}}: {{total}}',
]
const SAME_IN: Partial<Record<Language, readonly string[]>> = {
  de: ['Name', 'Text', 'Tokens', 'Chat', 'Version', 'Apps'],
  es: ['{{count}} token', '{{count}} tokens', 'Tokens'],
  fr: [
    'Action',
    'Source',
    'Sources',
    'Secret',
    'Notifications',
    'Conversation',
    'Messages',
    'Assistant',
    'Image',
    'Message',
    'Agent',
    'Total',
    'Menu',
    'Pages',
    'Conversations',
    'Version',
    'Date',
  ],
  id: ['Status', 'Model', 'Total', 'Menu', 'Folder'],
  it: ['Account', 'Menu', '{{count}} token'],
  pt: ['{{count}} item', 'Menu', '{{count}} token', '{{count}} tokens', 'Tokens'],
}

const PLURAL_FORM = /_(?:zero|one|two|few|many|other)$/
const isPlural = (path: string): boolean => PLURAL_FORM.test(path) && `${baseOf(path)}_other` in texts('en')
const baseOf = (path: string): string => path.replace(PLURAL_FORM, '')
const placeholders = (text: string): string[] => [...new Set(text.match(/\{\{.*?\}\}/g))].toSorted()

function flatten(value: object, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, below]): [string, string][] =>
    typeof below === 'string' ? [[prefix + name, below]] : flatten(below as object, `${prefix}${name}.`),
  )
}

const texts = (language: Language): Record<string, string> =>
  Object.fromEntries(
    flatten(language === 'en' ? en : (i18n.getResourceBundle(language, 'translation') as object)),
  )

/** "One file" needs no number where the form is used for 1 only: in Russian it is also used for 21. */
function isOneNumber(language: Language, path: string): boolean {
  const rules = new Intl.PluralRules(language)
  const numbers = Array.from({ length: 101 }, (_, number) => number)
  return numbers.filter((number) => path.endsWith(`_${rules.select(number)}`)).length === 1
}

describe.each(LANGUAGE_CODES)('the texts in %s', (language) => {
  const english = Object.entries(texts('en'))

  beforeAll(() => setLanguage(language))

  it('are complete, with exactly the plural forms of the language', () => {
    const expected = new Set(
      english.flatMap(([path]) =>
        isPlural(path) ? PLURALS[language].map((form) => `${baseOf(path)}_${form}`) : [path],
      ),
    )
    expect(Object.keys(texts(language)).toSorted()).toEqual([...expected].toSorted())
  })

  it('have the plural forms of Intl', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    expect([...PLURALS[language]].toSorted()).toEqual([...pluralCategories].toSorted())
  })

  it('have the placeholders of English', () => {
    const source = texts('en')
    const wrong = Object.entries(texts(language)).filter(([path, text]) => {
      const wanted = placeholders((isPlural(path) ? source[`${baseOf(path)}_other`] : source[path]) ?? '')
      const found = placeholders(text)
      const mayOmit = isPlural(path) && isOneNumber(language, path) ? ['{{count}}'] : []
      return (
        found.some((name) => !wanted.includes(name)) ||
        wanted.some((name) => !found.includes(name) && !mayOmit.includes(name))
      )
    })
    expect(wrong).toEqual([])
  })

  it('contain the names that the demo recognises', () => {
    const prompts = [1, 2, 3].map((number) =>
      translateInto(language)(`chat.welcome.prompt${number as 1 | 2 | 3}`),
    )
    expect(
      prompts.map((prompt, at) => WELCOME_PROMPTS[at]?.names.filter((name) => !prompt.includes(name))),
    ).toEqual([[], [], []])
  })

  it('are neither blank nor padded', () => {
    expect(Object.entries(texts(language)).filter(([, text]) => text === '' || text !== text.trim())).toEqual(
      [],
    )
  })
})

it.each(LANGUAGE_CODES)('the texts in %s have typographic punctuation', (language) => {
  const typed = language === 'fr' ? /\.\.\.|["']| [:;?!»…]|« / : /\.\.\.|["']/
  expect(Object.entries(texts(language)).filter(([, text]) => typed.test(text))).toEqual([])
})

it.each(LANGUAGE_CODES.filter((code) => code !== 'en'))(
  'the texts in %s are translated',
  async (language) => {
    await setLanguage(language)
    const source = texts('en')
    const same = new Set([...SAME_EVERYWHERE, ...(SAME_IN[language] ?? [])])
    const left = Object.entries(texts(language)).filter(
      ([path, text]) => source[path] === text && !same.has(text),
    )
    expect(left).toEqual([])
  },
)
