import { translateInto } from './i18n.ts'
import type { Translate } from './locale.ts'
import { useLanguage } from './use-language.ts'

/** The texts of the language now spoken: `t('chat.send')`. A component that uses it is drawn again on a change. */
export function useT(): Translate {
  return translateInto(useLanguage().language)
}
