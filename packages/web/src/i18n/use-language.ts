import { useSyncExternalStore } from 'react'
import { i18n } from './i18n.ts'
import type { Direction, Language } from './language.ts'
import { LANGUAGES } from './language.ts'

export interface ActiveLanguage {
  readonly language: Language
  readonly dir: Direction
}

/** The active language and its writing direction. */
export function useLanguage(): ActiveLanguage {
  const language = useSyncExternalStore(onLanguageChange, active)
  return { language, dir: LANGUAGES[language].dir }
}

function active(): Language {
  return i18n.language as Language
}

function onLanguageChange(changed: () => void): () => void {
  i18n.on('languageChanged', changed)
  return () => i18n.off('languageChanged', changed)
}
