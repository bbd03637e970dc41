import type { ReactElement } from 'react'

export function ConnectionsPage(): ReactElement {
  return <h1 />
}
