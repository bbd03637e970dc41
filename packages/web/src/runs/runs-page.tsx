import type { ReactElement } from 'react'

export function RunsPage({ runId }: { readonly runId?: string }): ReactElement {
  return <h1>{runId}</h1>
}
