import { escapeHtml, toPage } from '../../oauth/pages.ts'

/**
 * Asks first. Somebody may send a person the link of an account that is not theirs, and read what they then write there;
 * so a link that was followed from another page logs in only when the person says so on ours.
 */
export function toLoginPage(ticket: string): Response {
  const target = escapeHtml(`/login?ticket=${encodeURIComponent(ticket)}`)
  return toPage(
    'Log in',
    `<main><h1>Log in to Capstan?</h1><p>Another page has sent you here. Log in only if you asked for this link yourself.</p><p><a href="${target}">Log in</a></p></main>`,
  )
}
