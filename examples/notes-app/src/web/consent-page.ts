import type { Account } from '../accounts.ts'
import type { Scope } from '../oauth/scopes.ts'
import { SCOPES } from '../oauth/scopes.ts'
import type { Html } from './html.ts'
import { MARK, html, layout } from './html.ts'

export interface Consent {
  /** What the app calls itself. Nobody has checked it. */
  readonly appName: string
  /** Where the person goes afterwards: the one thing about the app that is certain. */
  readonly returnsTo: string
  readonly scopes: readonly Scope[]
  readonly accounts: readonly { readonly account: Account; readonly pageCount: number }[]
  readonly chosen: string
  readonly action: string
}

/** Signing in and saying yes, on one page. */
export function consentPage(consent: Consent): string {
  return layout({
    title: `${consent.appName} wants to use your Notes`,
    body: html`<main class="sheet">
      <p class="brand">${MARK}<span>Notes</span></p>
      <h1>${consent.appName} wants to use your Notes</h1>
      <form method="post" action="${consent.action}">
        <fieldset>
          <legend>Which notebook?</legend>
          ${consent.accounts.map(({ account, pageCount }) => choice(account, pageCount, account.id === consent.chosen))}
        </fieldset>
        <section aria-labelledby="able">
          <h2 id="able">It will be able to</h2>
          <ul class="able">
            ${consent.scopes.map((scope) => html`<li><strong>${SCOPES[scope].says}</strong><span>${SCOPES[scope].means}</span></li>`)}
          </ul>
        </section>
        <div class="actions">
          <button class="primary" type="submit" name="decision" value="allow">Allow</button>
          <button type="submit" name="decision" value="cancel">Cancel</button>
        </div>
      </form>
      <p class="fine">
        You go back to <span class="where">${consent.returnsTo}</span>. Allow this only if you just asked for
        it there. You can take it back at any time in Notes, under “Connected apps”.
      </p>
    </main>`,
  })
}

function choice(account: Account, pageCount: number, isChosen: boolean): Html {
  const id = `account-${account.id}`
  return html`<div class="choice">
    <input
      type="radio"
      id="${id}"
      name="account"
      value="${account.id}"
      required
      ${isChosen ? CHECKED : NOTHING}
    />
    <label for="${id}"
      ><strong>${account.name}</strong
      ><span>${account.address} · ${pageCount === 1 ? '1 page' : `${pageCount} pages`}</span></label
    >
  </div>`
}

const CHECKED: Html = { html: 'checked' }
const NOTHING: Html = { html: '' }
