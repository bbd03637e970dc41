import type { Settings } from '@capstan/protocol'

/** Applies the appearance settings and stores them for `theme.js`, which runs before the next first paint. */
export function applyAppearance({ theme, reduceMotion }: Pick<Settings, 'theme' | 'reduceMotion'>): void {
  const root = document.documentElement
  if (theme === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = theme
  if (reduceMotion) root.dataset['motion'] = 'less'
  else delete root.dataset['motion']
  try {
    localStorage.setItem('capstan.theme', theme)
    localStorage.setItem('capstan.motion', reduceMotion ? 'less' : '')
  } catch {
    // Storage can be disabled in a browser; then the first paint follows the system.
  }
}
