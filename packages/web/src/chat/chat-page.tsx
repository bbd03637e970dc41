import type { ReactElement } from 'react'

export interface ChatPageProps {
  readonly threadId?: string
  readonly runId?: string
  readonly callId?: string
}

export function ChatPage({ threadId }: ChatPageProps): ReactElement {
  return <h1>{threadId}</h1>
}
