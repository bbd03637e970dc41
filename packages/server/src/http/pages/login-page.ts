import { escapeHtml, toPage } from '../../oauth/pages.ts'
import { chooseLoginWords } from './login-words.ts'

/**
 * Asks before it logs in. An attacker may send a person a login link of the attacker's account and read what they write
 * there, and programs open links to preview them: so a link alone logs nobody in.
 */
export function toLoginPage(ticket: string, userId: string, acceptLanguage: string | undefined): Response {
  const { language, words } = chooseLoginWords(acceptLanguage)
  const who = `<bdi><strong>${escapeHtml(userId)}</strong></bdi>`
  return toPage(
    escapeHtml(words.button),
    `<main><h1>${escapeHtml(words.title)}</h1><p>${escapeHtml(words.who).replace('{user}', () => who)}</p>` +
      `<p>${escapeHtml(words.warning)}</p><form method="post" action="/login">` +
      `<input type="hidden" name="ticket" value="${escapeHtml(ticket)}">` +
      `<button autofocus>${escapeHtml(words.button)}</button></form></main>`,
    { language },
  )
}
