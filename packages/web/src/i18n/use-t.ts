import { translateInto } from './i18n.ts'
import type { Translate } from './locale.ts'
import { useLanguage } from './use-language.ts'

/** The texts of the active language: `t('chat.send')`. The component is drawn again when the language changes. */
export function useT(): Translate {
  return translateInto(useLanguage().language)
}
