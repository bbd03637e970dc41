/** The languages of the app. Each is named in itself, so that it is found by whoever reads it. */
export const LANGUAGES = {
  en: { name: 'English', dir: 'ltr' },
  ar: { name: 'العربية', dir: 'rtl' },
  bn: { name: 'বাংলা', dir: 'ltr' },
  de: { name: 'Deutsch', dir: 'ltr' },
  es: { name: 'Español', dir: 'ltr' },
  fr: { name: 'Français', dir: 'ltr' },
  hi: { name: 'हिन्दी', dir: 'ltr' },
  id: { name: 'Bahasa Indonesia', dir: 'ltr' },
  it: { name: 'Italiano', dir: 'ltr' },
  ja: { name: '日本語', dir: 'ltr' },
  ko: { name: '한국어', dir: 'ltr' },
  pt: { name: 'Português', dir: 'ltr' },
  ru: { name: 'Русский', dir: 'ltr' },
  'zh-CN': { name: '简体中文', dir: 'ltr' },
} as const satisfies Record<string, { readonly name: string; readonly dir: Direction }>

export type Direction = 'ltr' | 'rtl'
export type Language = keyof typeof LANGUAGES

/** In the order a menu shows them. */
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[]

/** The first wish we can meet, `pt-BR` by `pt` and `zh` by `zh-CN`. Undefined when we speak none of them. */
export function matchLanguage(wishes: readonly string[]): Language | undefined {
  for (const wish of wishes) {
    const [tongue] = wish.toLowerCase().split(/[-_]/)
    const match = LANGUAGE_CODES.find((code) => code.toLowerCase().split('-')[0] === tongue)
    if (match) return match
  }
  return undefined
}

/** What the user set, else what the browser prefers, else English. A blank setting is none. */
export function chooseLanguage(setting: string | undefined, browser: readonly string[]): Language {
  return matchLanguage(setting ? [setting, ...browser] : browser) ?? 'en'
}

/**
 * The language as the browser's region writes it: English in a browser set to `en-GB` has the dates of Great Britain. A
 * wish in another script, such as `zh-TW`, is another way of writing altogether and left alone.
 */
export function withRegion(language: Language, browser: readonly string[]): string {
  const own = new Intl.Locale(language).maximize()
  const wish = browser.find((tag) => {
    try {
      const other = new Intl.Locale(tag).maximize()
      return other.language === own.language && other.script === own.script
    } catch {
      return false
    }
  })
  return wish ?? language
}
