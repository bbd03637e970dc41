import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { Account } from '../accounts.ts'
import { ACCOUNTS, findAccount } from '../accounts.ts'
import { readForm } from '../http/read-form.ts'
import { redirect, sendPage } from '../http/send.ts'
import type { Notebooks } from '../notebook/notebooks.ts'
import type { Registrations } from '../oauth/registrations.ts'
import { errorPage } from './error-page.ts'
import { ICON_SVG } from './html.ts'
import type { ConnectedApp } from './notebook-pages.ts'
import { notebookPage, pageView, signInPage } from './notebook-pages.ts'
import type { ReaderCookie } from './reader-cookie.ts'

export interface WebViewOptions {
  readonly provider: Provider
  readonly notebooks: Notebooks
  readonly registrations: Registrations
  readonly readerCookie: ReaderCookie
  readonly home: string
}

/** Serves what people look at: the notebook, its pages, and who may see them. */
export async function createWebView({
  provider,
  notebooks,
  registrations,
  readerCookie,
  home,
}: WebViewOptions): Promise<(request: IncomingMessage, response: ServerResponse) => Promise<void>> {
  const style = await readFile(new URL('style.css', import.meta.url), 'utf8')

  function sendAsset(response: ServerResponse, type: string, body: string): void {
    response.writeHead(200, {
      'content-type': type,
      'cache-control': 'max-age=300',
      'x-content-type-options': 'nosniff',
    })
    response.end(body)
  }

  async function connectedApps(account: Account): Promise<ConnectedApp[]> {
    const apps: ConnectedApp[] = []
    for (const { grantId, clientId } of registrations.grantsOf(account.id)) {
      const client = await provider.Client.find(clientId)
      apps.push({ grantId, name: client?.clientName?.trim().slice(0, 60) || 'An app' })
    }
    return apps
  }

  async function get(path: string, response: ServerResponse, reader: Account | undefined): Promise<boolean> {
    if (path === '/style.css') sendAsset(response, 'text/css; charset=utf-8', style)
    else if (path === '/icon.svg' || path === '/favicon.ico') sendAsset(response, 'image/svg+xml', ICON_SVG)
    else if (path === '/' && reader) {
      sendPage(response, 200, notebookPage(reader, notebooks.list(reader.id), await connectedApps(reader)))
    } else if (path === '/') sendPage(response, 200, signInPage(ACCOUNTS))
    else if (path.startsWith('/pages/') && reader) {
      const page = notebooks.read(reader.id, path.slice('/pages/'.length))
      if (!page) return false
      sendPage(response, 200, pageView(reader, page))
    } else if (path.startsWith('/pages/')) redirect(response, '/')
    else return false
    return true
  }

  async function post(
    path: string,
    form: URLSearchParams | undefined,
    response: ServerResponse,
    reader: Account | undefined,
  ): Promise<boolean> {
    const account = findAccount(form?.get('account') ?? undefined)
    if (path === '/sign-in' && account)
      redirect(response, '/', { 'set-cookie': readerCookie.write(account.id) })
    else if (path === '/sign-out') redirect(response, '/', { 'set-cookie': readerCookie.clear })
    else if (path === '/apps/disconnect' && reader) {
      const grant = registrations.grantsOf(reader.id).find(({ grantId }) => grantId === form?.get('grant'))
      if (grant) await registrations.revoke(grant.grantId)
      redirect(response, '/')
    } else return false
    return true
  }

  return async (request, response) => {
    const path = new URL(request.url ?? '/', home).pathname
    const reader = findAccount(readerCookie.read(request.headers.cookie))
    const isDone =
      request.method === 'GET'
        ? await get(path, response, reader)
        : request.method === 'POST' && (await post(path, await readForm(request), response, reader))
    if (isDone) return
    const text = 'It may have been deleted, or it is in another notebook.'
    sendPage(response, 404, errorPage({ title: 'There is no such page', text, home }))
  }
}
