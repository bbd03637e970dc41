import './surface.css'
import { Tabs as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

interface Tab {
  readonly value: string
  readonly title: ReactNode
  readonly content: ReactNode
}

export interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly value?: string
  readonly onValueChange?: (value: string) => void
}

export function Tabs({ label, tabs, value, onValueChange }: TabsProps): ReactElement {
  return (
    <Radix.Root
      className="ui-tabs"
      {...(value === undefined ? { defaultValue: tabs[0]?.value } : { value })}
      onValueChange={onValueChange}
    >
      <Radix.List className="ui-tabs-list" aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} className="ui-tab" value={tab.value}>
            {tab.title}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} className="ui-tab-content" value={tab.value}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
