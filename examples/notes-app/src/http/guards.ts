import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendJson } from './send.ts'

/**
 * Answers and returns false for a request that did not come for this app: another `Host` is a name somebody pointed at
 * loopback (DNS rebinding), another `Origin` is another web page. Programs send no origin and pass.
 */
export function isMeantForUs(request: IncomingMessage, response: ServerResponse, origin: string): boolean {
  const { host } = new URL(origin)
  if (request.headers.host !== host) {
    if (isLocalhost(request) && request.method === 'GET') {
      response.writeHead(307, { location: new URL(pathOf(request), origin).href }).end()
    } else {
      sendJson(response, 403, { error: 'forbidden', error_description: `This app answers to ${host} only.` })
    }
    return false
  }
  const from = request.headers.origin
  if (from !== undefined && from !== origin) {
    sendJson(response, 403, { error: 'forbidden', error_description: 'Not for other web pages.' })
    return false
  }
  return true
}

function isLocalhost(request: IncomingMessage): boolean {
  return /^localhost(:\d+)?$/u.test(request.headers.host ?? '')
}

/** Only ever a path: `//elsewhere` would name another host. */
function pathOf(request: IncomingMessage): string {
  return `/${(request.url ?? '').replace(/^[/\\]+/u, '')}`
}
