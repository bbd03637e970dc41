import type { Account } from '../accounts.ts'
import type { Page } from '../notebook/page.ts'
import type { Html } from './html.ts'
import { MARK, html, layout } from './html.ts'
import { renderText } from './render-text.ts'

export interface ConnectedApp {
  readonly grantId: string
  readonly name: string
}

/** Choosing a notebook to look at. */
export function signInPage(accounts: readonly Account[]): string {
  return layout({
    title: 'Notes',
    body: html`<main class="sheet">
      <p class="brand">${MARK}<span>Notes</span></p>
      <h1>Open a notebook</h1>
      <p class="lead">This is a demo on your own machine: there is no password to remember.</p>
      <form method="post" action="/sign-in" class="stack">
        ${accounts.map((account) => html`<button class="open" type="submit" name="account" value="${account.id}"><strong>${account.name}</strong><span>${account.address}</span></button>`)}
      </form>
    </main>`,
  })
}

/** The notebook's contents, newest first, and who else may look into it. */
export function notebookPage(
  account: Account,
  pages: readonly Page[],
  apps: readonly ConnectedApp[],
): string {
  return layout({
    title: `${account.name} · Notes`,
    wide: true,
    body: html`${masthead(account)}
      <main>
        <h1>${account.name}</h1>
        ${
          pages.length === 0
            ? html`<p class="lead">Nothing written yet.</p>`
            : html`<ol class="contents">
                ${pages.map(entry)}
              </ol>`
        }
        <section class="apps" aria-labelledby="apps">
          <h2 id="apps">Connected apps</h2>
          ${
            apps.length === 0
              ? html`<p class="fine">No app can see this notebook.</p>`
              : html`<ul>
                  ${apps.map(connectedApp)}
                </ul>`
          }
        </section>
      </main>`,
  })
}

export function pageView(account: Account, page: Page): string {
  return layout({
    title: `${page.title} · Notes`,
    wide: true,
    body: html`${masthead(account)}
      <main>
        <p class="back"><a href="/">All pages</a></p>
        <article>
          <h1>${page.title}</h1>
          <p class="fine">
            Last changed
            <time datetime="${new Date(page.updatedAt).toISOString()}">${toDay(page.updatedAt)}</time> ·
            version ${page.version}
          </p>
          ${renderText(page.text)}
        </article>
      </main>`,
  })
}

function masthead(account: Account): Html {
  return html`<header class="masthead">
    <p class="brand">
      <a href="/">${MARK}<span>Notes</span></a>
    </p>
    <form method="post" action="/sign-out">
      <span class="fine">${account.address}</span><button class="quiet" type="submit">Close notebook</button>
    </form>
  </header>`
}

function entry(page: Page): Html {
  const lines = page.text.split(/\r?\n/u).map((line) => line.replace(/^\s*(?:#+|[-*])\s+/u, '').trim())
  const beginning = lines.filter(Boolean).join(' · ')
  return html`<li>
    <a href="/pages/${page.id}"><strong>${page.title}</strong><span>${beginning.slice(0, 140)}</span></a
    ><time datetime="${new Date(page.updatedAt).toISOString()}">${toDay(page.updatedAt)}</time>
  </li>`
}

function connectedApp(app: ConnectedApp): Html {
  return html`<li>
    <span>${app.name}</span>
    <form method="post" action="/apps/disconnect">
      <button
        class="quiet"
        type="submit"
        name="grant"
        value="${app.grantId}"
        aria-label="Take back the access of ${app.name}"
      >
        Take access back
      </button>
    </form>
  </li>`
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
})

function toDay(at: number): string {
  return DAY.format(at)
}
