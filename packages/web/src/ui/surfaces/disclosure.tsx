import './surface.css'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'

export interface DisclosureProps {
  /** The line that opens the content. */
  readonly summary: ReactNode
  /** Drawn at the end of the line, outside of the button. */
  readonly aside?: ReactNode
  readonly defaultOpen?: boolean
  /** With `onOpenChange`, the parent controls the state. */
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  readonly className?: string
  /** Not drawn before the first opening. */
  readonly children: ReactNode
}

export function Disclosure({
  summary,
  aside,
  defaultOpen = false,
  open,
  onOpenChange,
  className,
  children,
}: DisclosureProps): ReactElement {
  const id = useId()
  const [ownOpen, setOwnOpen] = useState(defaultOpen)
  const isOpen = open ?? ownOpen
  const [wasOpened, setWasOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setWasOpened(true)

  return (
    <div className={['ui-disclosure', className].filter(Boolean).join(' ')} data-open={isOpen || undefined}>
      <div className="ui-disclosure-line">
        <button
          type="button"
          className="ui-disclosure-button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => {
            setOwnOpen(!isOpen)
            onOpenChange?.(!isOpen)
          }}
        >
          <ChevronRight className="ui-disclosure-mark" aria-hidden="true" />
          {summary}
        </button>
        {aside}
      </div>
      <div id={id} className="ui-disclosure-body" hidden={!isOpen}>
        {wasOpened && children}
      </div>
    </div>
  )
}
