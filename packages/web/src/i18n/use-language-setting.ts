import { useEffect, useState } from 'react'
import { i18n, setLanguage } from './i18n.ts'
import { chooseLanguage } from './language.ts'
import { useLanguage } from './use-language.ts'

const REMEMBERED = 'capstan.language'

/**
 * Makes the page speak what is set, else what the browser prefers. Undefined means the settings are not here yet:
 * then it is what was set last time. False until the first language is here; a language that cannot be
 * loaded leaves the page in the one it has.
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

// Storage can be switched off in a browser; then the language is known once the settings are.
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
