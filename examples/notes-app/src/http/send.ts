import type { ServerResponse } from 'node:http'
import { PAGE_HEADERS } from '../web/html.ts'

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
    .end(JSON.stringify(body))
}

export function sendPage(
  response: ServerResponse,
  status: number,
  page: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...PAGE_HEADERS, ...headers }).end(page)
}

export function redirect(
  response: ServerResponse,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(303, { location, 'cache-control': 'no-store', ...headers }).end()
}

/** Writes an answer the SDK has prepared. */
export async function sendResponse(response: ServerResponse, prepared: Response): Promise<void> {
  response.writeHead(prepared.status, Object.fromEntries(prepared.headers)).end(await prepared.text())
}
