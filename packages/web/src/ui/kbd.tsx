import './state.css'
import type { ReactElement } from 'react'

const isApple = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/** A key or a chord such as `mod+k`; `mod` is drawn as the platform calls it. */
export function Kbd({ keys }: { readonly keys: string }): ReactElement {
  return (
    <span dir="ltr">
      {keys.split('+').map((key) => (
        <kbd key={key} className="ui-kbd">
          {key === 'mod' ? (isApple() ? '⌘' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key}
        </kbd>
      ))}
    </span>
  )
}
