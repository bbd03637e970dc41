import './overlay.css'
import { DropdownMenu } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { useLayer } from './modal.tsx'

interface MenuItem {
  readonly label: string
  readonly icon?: ReactNode
  readonly onSelect: () => void
  readonly danger?: boolean
  readonly disabled?: boolean
}

export interface MenuProps {
  /** The button that opens it; it takes a ref. */
  readonly trigger: ReactElement
  readonly items: readonly MenuItem[]
  readonly align?: 'start' | 'end'
  /** Where the focus goes on close, if not back to the trigger. */
  readonly focusAfter?: () => HTMLElement | null | undefined
}

/** A menu. Not modal: a modal one adds styles to the page, which the content security policy refuses. */
export function Menu({ trigger, items, align = 'end', focusAfter }: MenuProps): ReactElement {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={useLayer()}>
        <DropdownMenu.Content
          className="ui-menu"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            const target = focusAfter?.()
            if (!target) return
            event.preventDefault()
            target.focus()
          }}
        >
          {items.map((item, index) => (
            <DropdownMenu.Item
              key={index} // two items may read the same
              className="ui-menu-item"
              data-danger={item.danger || undefined}
              disabled={item.disabled}
              onSelect={item.onSelect}
            >
              {item.icon}
              {item.label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
