import type { ReactElement } from 'react'

export function DiagnosticsPage(): ReactElement {
  return <h1 />
}
