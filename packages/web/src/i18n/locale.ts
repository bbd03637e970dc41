import type { en } from './en/index.ts'
import type { Language } from './language.ts'

/** The plural forms of each language. A test compares them with `Intl.PluralRules`. */
export const PLURALS = {
  en: ['one', 'other'],
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
  bn: ['one', 'other'],
  de: ['one', 'other'],
  es: ['one', 'many', 'other'],
  fr: ['one', 'many', 'other'],
  hi: ['one', 'other'],
  id: ['other'],
  it: ['one', 'many', 'other'],
  ja: ['other'],
  ko: ['other'],
  pt: ['one', 'many', 'other'],
  ru: ['one', 'few', 'many', 'other'],
  'zh-CN': ['other'],
} as const satisfies Record<Language, readonly Intl.LDMLPluralRule[]>

type Area = keyof typeof en

/** English with its texts replaced. A counted text has exactly the forms of the language. */
type Translated<Texts, Plural extends string> = {
  readonly [
    Name in keyof Texts & string as Name extends `${string}_one`
      ? never
      : Name extends `${infer Base}_other`
        ? `${Base}_${Plural}`
        : Name
  ]: Texts[Name] extends string ? string : Translated<Texts[Name], Plural>
}

/** One area in one language: a missing or an unknown key does not compile. */
export type Translation<A extends Area, L extends Language> = Translated<
  (typeof en)[A],
  (typeof PLURALS)[L][number]
>

/** All areas in one language. */
export type Locale<L extends Language> = { readonly [A in Area]: Translation<A, L> }

type Paths<Texts, Prefix extends string = ''> = {
  [Name in keyof Texts & string]: Texts[Name] extends string
    ? `${Prefix}${Name}`
    : Paths<Texts[Name], `${Prefix}${Name}.`>
}[keyof Texts & string]

type Path = Paths<typeof en>

/** The keys that `t` takes. A counted text is named without its plural form: `chat.files`, not `chat.files_one`. */
type Key = Path extends infer P
  ? P extends `${string}_one`
    ? never
    : P extends `${infer Base}_other`
      ? Base
      : P
  : never

type TextAt<Texts, P extends string> = P extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Texts
    ? TextAt<Texts[Head], Rest>
    : never
  : P extends keyof Texts
    ? Texts[P]
    : never

type Placeholders<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

type ParamNames<K extends Key> = K extends unknown
  ? `${K}_other` extends Path
    ? 'count' | Placeholders<TextAt<typeof en, `${K}_other`>>
    : Placeholders<TextAt<typeof en, K>>
  : never

type Params<K extends Key> = {
  readonly [Name in ParamNames<K>]: Name extends 'count' ? number : string | number
}

/** The text of a key. Every `{{placeholder}}` must have a value; numbers are formatted for the language. */
export type Translate = <K extends Key>(
  key: K,
  ...params: [ParamNames<K>] extends [never] ? [] : [Params<K>]
) => string
