import './overlay.css'
import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement } from 'react'
import { useLayer } from './modal.tsx'

export interface TooltipProps {
  readonly text: string
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  /** One element that takes a ref. */
  readonly children: ReactElement
}

/** A tooltip for pointer and keyboard. It must never be the only place of an information. */
export function Tooltip({ text, side = 'bottom', children }: TooltipProps): ReactElement {
  return (
    <Radix.Provider delayDuration={500}>
      <Radix.Root disableHoverableContent>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal container={useLayer()}>
          <Radix.Content className="ui-tooltip" side={side} sideOffset={6} collisionPadding={8}>
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
