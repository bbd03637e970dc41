import '../feedback/state.css'
import type { ReactElement } from 'react'

const isApple = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

function drawn(key: string): string {
  if (key === 'mod') return isApple() ? '⌘' : 'Ctrl'
  if (key === 'shift') return '⇧'
  return key.length === 1 ? key.toUpperCase() : key
}

/** A key or a chord such as `mod+k`; `mod` is drawn as the platform calls it. */
export function Kbd({ keys }: { readonly keys: string }): ReactElement {
  return (
    <span dir="ltr">
      {keys.split('+').map((key) => (
        <kbd key={key} className="ui-kbd">
          {drawn(key)}
        </kbd>
      ))}
    </span>
  )
}
