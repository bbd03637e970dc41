import { escapeHtml, toPage } from '../../oauth/pages.ts'

/**
 * Asks before it logs in. An attacker may send a person a login link of the attacker's account and read what they write
 * there, so a link that was opened from another site needs a click on this page.
 */
export function toLoginPage(ticket: string): Response {
  const target = escapeHtml(`/login?ticket=${encodeURIComponent(ticket)}`)
  return toPage(
    'Log in',
    `<main><h1>Log in to Capstan?</h1><p>Another page has sent you here. Log in only if you asked for this link yourself.</p><p><a href="${target}">Log in</a></p></main>`,
  )
}
