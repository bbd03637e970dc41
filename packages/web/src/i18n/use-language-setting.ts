import { useEffect, useState } from 'react'
import { i18n, setLanguage } from './i18n.ts'
import { chooseLanguage } from './language.ts'
import { useLanguage } from './use-language.ts'

const REMEMBERED = 'capstan.language'

/**
 * Sets the language of the page: the one of the settings, else the one the browser prefers. While the settings are
 * undefined, the language of the last visit is used. Returns false until the first language is loaded. A language that
 * cannot be loaded changes nothing.
 */
export function useLanguageSetting(setting: string | undefined): boolean {
  const [isReady, setReady] = useState(
    () => chooseLanguage(setting ?? remembered(), navigator.languages) === i18n.language,
  )

  useEffect(() => {
    if (setting !== undefined) remember(setting)
    let isCurrent = true
    const apply = (): void => {
      const language = chooseLanguage(setting ?? remembered(), navigator.languages)
      setLanguage(language)
        .catch(() => undefined)
        .finally(() => {
          if (isCurrent) setReady(true)
        })
    }
    apply()
    window.addEventListener('languagechange', apply)
    return () => {
      isCurrent = false
      window.removeEventListener('languagechange', apply)
    }
  }, [setting])

  const { language, dir } = useLanguage()
  useEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = dir
  }, [language, dir])

  return isReady
}

// Storage can be disabled in a browser; then the language is known once the settings are.
function remembered(): string {
  try {
    return localStorage.getItem(REMEMBERED) ?? ''
  } catch {
    return ''
  }
}

function remember(setting: string): void {
  try {
    localStorage.setItem(REMEMBERED, setting)
  } catch {
    return
  }
}
