import type { ConnectionRow, SignInReply } from '@capstan/protocol'
import type { ApiErrorCode } from '@capstan/client'

/** The state of a sign-in, as far as this page knows. */
export type SignIn =
  | { readonly type: 'idle' }
  | { readonly type: 'opening' }
  /** The person is on the service's page. `isBlocked`: the browser refused to open it. */
  | { readonly type: 'waiting'; readonly url: string; readonly isBlocked: boolean }
  | { readonly type: 'key'; readonly isRefused: boolean }
  | { readonly type: 'connected' }
  | { readonly type: 'declined' }
  | ({ readonly type: 'failed'; readonly problem?: ApiErrorCode | 'bad-address' } & Pick<
      ConnectionRow,
      'reason' | 'reasonCode'
    >)

export const IDLE: SignIn = { type: 'idle' }

/** The window that was opened when the button was pressed. Browsers allow it only at that moment. */
export interface SignInWindow {
  visit(url: string): void
  close(): void
}

/** Applies the server's answer. An address that is not a web page is never opened. */
export function takeReply(reply: SignInReply, opened: SignInWindow | undefined): SignIn {
  if (reply.type !== 'visit') opened?.close()
  switch (reply.type) {
    case 'visit':
      if (!isWebAddress(reply.url)) {
        opened?.close()
        return { type: 'failed', problem: 'bad-address' }
      }
      opened?.visit(reply.url)
      return { type: 'waiting', url: reply.url, isBlocked: opened === undefined }
    case 'key':
      return { type: 'key', isRefused: false }
    case 'settled':
      return takeConnection(IDLE, reply.connection)
  }
}

/** Applies an update of the connection, wherever it was made. */
export function takeConnection(now: SignIn, { status, reason, reasonCode }: ConnectionRow): SignIn {
  switch (status) {
    case 'active':
      return { type: 'connected' }
    case 'disconnected':
      return { type: 'declined' }
    case 'failed':
    case 'expired':
    case 'revoked':
      if (reasonCode === 'declined') return { type: 'declined' }
      return {
        type: 'failed',
        ...(reason !== undefined && { reason }),
        ...(reasonCode !== undefined && { reasonCode }),
      }
    case 'pending':
      return now
  }
}

function isWebAddress(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:'
}

/** Opens a blank window at once; it gets its address later. Undefined when the browser refuses. */
export function openSignInWindow(): SignInWindow | undefined {
  const opened = window.open('', '_blank')
  if (!opened) return undefined
  // The opened page must not reach back into this one.
  opened.opener = null
  return {
    visit: (url) => opened.location.replace(url),
    close: () => opened.close(),
  }
}
