import { useSyncExternalStore } from 'react'
import { i18n } from './i18n.ts'
import type { Direction, Language } from './language.ts'
import { LANGUAGES } from './language.ts'

export interface SpokenLanguage {
  readonly language: Language
  readonly dir: Direction
}

/** The language now spoken, and which way it runs. */
export function useLanguage(): SpokenLanguage {
  const language = useSyncExternalStore(onLanguageChange, spoken)
  return { language, dir: LANGUAGES[language].dir }
}

function spoken(): Language {
  return i18n.language as Language
}

function onLanguageChange(changed: () => void): () => void {
  i18n.on('languageChanged', changed)
  return () => i18n.off('languageChanged', changed)
}
