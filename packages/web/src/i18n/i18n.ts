import type { FormatterModule } from 'i18next'
import { createInstance } from 'i18next'
import { en } from './en/index.ts'
import { formattersFor } from './formatters.ts'
import type { Language } from './language.ts'
import { LANGUAGES } from './language.ts'
import type { Locale, Translate } from './locale.ts'

const LOADERS: { readonly [L in Exclude<Language, 'en'>]: () => Promise<Locale<L>> } = {
  ar: async () => (await import('./ar/index.ts')).ar,
  bn: async () => (await import('./bn/index.ts')).bn,
  de: async () => (await import('./de/index.ts')).de,
  es: async () => (await import('./es/index.ts')).es,
  fr: async () => (await import('./fr/index.ts')).fr,
  hi: async () => (await import('./hi/index.ts')).hi,
  id: async () => (await import('./id/index.ts')).id,
  it: async () => (await import('./it/index.ts')).it,
  ja: async () => (await import('./ja/index.ts')).ja,
  ko: async () => (await import('./ko/index.ts')).ko,
  pt: async () => (await import('./pt/index.ts')).pt,
  ru: async () => (await import('./ru/index.ts')).ru,
  'zh-CN': async () => (await import('./zh-cn/index.ts')).zhCN,
}

/** English is always loaded. Components without a provider, as in most tests, show English. */
export const i18n = createInstance()

const formatter: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: writeValue,
}

void i18n.use(formatter).init({
  lng: 'en',
  fallbackLng: 'en',
  supportedLngs: Object.keys(LANGUAGES),
  resources: { en: { translation: en } },
  initAsync: false,
  // React escapes what it draws.
  interpolation: { escapeValue: false, skipOnVariables: true, alwaysFormat: true },
})

let wanted: Language = 'en'

/** Loads a language and makes it active. When the load fails, or a later call wants another one, nothing changes. */
export async function setLanguage(language: Language): Promise<void> {
  wanted = language
  if (language !== 'en' && !i18n.hasResourceBundle(language, 'translation')) {
    i18n.addResourceBundle(language, 'translation', await LOADERS[language]())
  }
  if (wanted === language) await i18n.changeLanguage(language)
}

const made = new Map<Language, Translate>()

/**
 * The texts of a loaded language; the same function every time. Values may hold untrusted text: they are inserted
 * unchanged, under `replace`, so that none is taken for an option of i18next or for a key.
 */
export function translateInto(language: Language): Translate {
  const known = made.get(language)
  if (known) return known
  const fixed = i18n.getFixedT(language)
  const translate: Translate = (key, ...[params]) => {
    const count = params && 'count' in params ? { count: Number(params.count) } : {}
    return fixed(key as string, { nest: false, replace: params ?? {}, ...count })
  }
  made.set(language, translate)
  return translate
}

/** Formats numbers for the language. Other values are isolated, so that they cannot reorder an Arabic sentence. */
function writeValue(value: unknown, _format?: string, language?: string): string {
  const active = (language ?? 'en') as Language
  if (typeof value === 'number') return formattersFor(active).number(value)
  const text = String(value)
  return LANGUAGES[active].dir === 'rtl' ? `\u2068${text}\u2069` : text
}
