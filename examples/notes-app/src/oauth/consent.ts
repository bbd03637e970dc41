import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Interaction, Provider } from 'oidc-provider'
import { errors } from 'oidc-provider'
import { ACCOUNTS, findAccount } from '../accounts.ts'
import { readForm } from '../http/read-form.ts'
import { redirect, sendPage } from '../http/send.ts'
import type { Notebooks } from '../notebook/notebooks.ts'
import { consentPage } from '../web/consent-page.ts'
import { errorPage } from '../web/error-page.ts'
import { contentSecurityPolicy } from '../web/html.ts'
import type { ReaderCookie } from '../web/reader-cookie.ts'
import type { Scope } from './scopes.ts'
import { SCOPE_NAMES } from './scopes.ts'

export interface ConsentOptions {
  readonly provider: Provider
  readonly notebooks: Notebooks
  readonly readerCookie: ReaderCookie
  readonly resource: string
  readonly home: string
}

/** Serves `/interaction/…`: shows what is asked for, and takes the answer. Only the browser that began can answer. */
export async function handleConsent(
  request: IncomingMessage,
  response: ServerResponse,
  options: ConsentOptions,
): Promise<void> {
  const { provider, readerCookie } = options
  let interaction: Interaction
  try {
    interaction = await provider.interactionDetails(request, response)
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error
    const text = 'It was open for too long, or it is already done. Go back to the app and start again.'
    sendPage(response, 400, errorPage({ title: 'This sign-in is over', text, home: options.home }))
    return
  }
  if (request.method === 'GET') {
    await showConsent(request, response, interaction, options)
    return
  }
  const form = await readForm(request)
  const account = findAccount(form?.get('account') ?? undefined)
  const decision = form?.get('decision')
  if (decision !== 'cancel' && (decision !== 'allow' || !account)) {
    const text = 'Choose a notebook, then allow or cancel. Nothing was allowed.'
    sendPage(response, 400, errorPage({ title: 'That was not an answer', text, home: options.home }))
    return
  }
  const result =
    decision === 'allow' && account
      ? await allow(interaction, account.id, options)
      : { error: 'access_denied', error_description: 'The person did not allow it' }
  const next = await provider.interactionResult(request, response, result, { mergeWithLastSubmission: false })
  redirect(
    response,
    next,
    decision === 'allow' && account ? { 'set-cookie': readerCookie.write(account.id) } : {},
  )
}

async function showConsent(
  request: IncomingMessage,
  response: ServerResponse,
  interaction: Interaction,
  { provider, notebooks, readerCookie }: ConsentOptions,
): Promise<void> {
  const client = await provider.Client.find(String(interaction.params['client_id']))
  const returnsTo = new URL(String(interaction.params['redirect_uri']))
  const hinted = [interaction.params['login_hint'], readerCookie.read(request.headers.cookie)]
    .map((id) => findAccount(typeof id === 'string' ? id : undefined))
    .find((account) => account !== undefined)
  const page = consentPage({
    appName: client?.clientName?.trim().slice(0, 60) || 'An app',
    returnsTo: returnsTo.host || returnsTo.protocol,
    scopes: scopesAsked(interaction),
    accounts: ACCOUNTS.map((account) => ({ account, pageCount: notebooks.list(account.id).length })),
    chosen: hinted?.id ?? ACCOUNTS[0]?.id ?? '',
    action: `/interaction/${interaction.uid}`,
  })
  // The answer leads back to the app, and a browser holds the whole chain of redirects against `form-action`.
  sendPage(response, 200, page, {
    'content-security-policy': contentSecurityPolicy([toSource(returnsTo)]),
  })
}

async function allow(
  interaction: Interaction,
  accountId: string,
  { provider, resource }: ConsentOptions,
): Promise<Record<string, unknown>> {
  const grant = new provider.Grant({ accountId, clientId: String(interaction.params['client_id']) })
  // The provider asks again for every word it knows and finds in no grant, whomever the word belongs to.
  grant.addOIDCScope(wordsAsked(interaction).join(' '))
  grant.addResourceScope(resource, scopesAsked(interaction).join(' '))
  return { login: { accountId, remember: false }, consent: { grantId: await grant.save() } }
}

function wordsAsked(interaction: Interaction): readonly string[] {
  const { scope } = interaction.params
  return typeof scope === 'string' ? scope.split(' ') : []
}

function scopesAsked(interaction: Interaction): readonly Scope[] {
  const asked = wordsAsked(interaction)
  return SCOPE_NAMES.filter((scope) => asked.includes(scope))
}

/** As a content security policy names it. It has no words for IPv6 hosts; the scheme has to do. */
function toSource(url: URL): string {
  return url.host === '' || url.hostname.startsWith('[') ? url.protocol : url.origin
}
