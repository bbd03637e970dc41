/** Text that is already HTML. */
export interface Html {
  readonly html: string
}

/** HTML from a template: whatever is put in is escaped, unless it is HTML itself. */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  let out = strings[0] ?? ''
  values.forEach((value, index) => {
    out += `${toMarkup(value)}${strings[index + 1] ?? ''}`
  })
  return { html: out }
}

function toMarkup(value: string | number | Html | readonly Html[]): string {
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value))
  if ('html' in value) return value.html
  return value.map((part) => part.html).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? '')
}

/** No scripts at all, styles from here alone, never in a frame. Forms are sent here, and where a sign-in leads. */
export function contentSecurityPolicy(formTargets: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy(),
  'cache-control': 'no-store',
  // Not `no-referrer`: browsers would then send `Origin: null` with the app's own forms.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The frame every page hangs in. */
export function layout({ title, body, wide }: { title: string; body: Html; wide?: boolean }): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body class="${wide ? 'wide' : 'narrow'}">
        ${body}
      </body>
    </html> `.html
}

/** The app's mark: a notebook with a ribbon. */
export const MARK: Html = {
  html: `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><path class="cover" d="M7 3h17a2 2 0 0 1 2 2v22a2 2 0 0 1-2 2H7z"/><path class="spine" d="M7 3h2.5v26H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z"/><path class="ribbon" d="M18.5 3h4v12l-2-1.8-2 1.8z"/></svg>`,
}

export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#8c3b2a" d="M7 3h17a2 2 0 0 1 2 2v22a2 2 0 0 1-2 2H7z"/><path fill="#5f2518" d="M7 3h2.5v26H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z"/><path fill="#e9c46a" d="M18.5 3h4v12l-2-1.8-2 1.8z"/></svg>`
