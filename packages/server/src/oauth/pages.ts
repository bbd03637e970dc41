/** The page a person sees after a sign-in. It has no inline script and shows nothing of the request. */
export function toResultPage(isConnected: boolean): Response {
  const [title, words] = isConnected
    ? ['Connected', 'The app is connected. You can close this window and go on where you were.']
    : [
        'Not connected',
        'This sign-in could not be finished. Nothing was changed. Go back and start it again.',
      ]
  const state = isConnected ? 'connected' : 'not-connected'
  return toPage(
    title,
    `<main data-sign-in="${state}"><h1>${title}</h1><p>${words}</p><p><a href="/">Back to Capstan</a></p></main>`,
    { head: `<script src="${SCRIPT_PATH}" defer></script>` },
  )
}

/**
 * Redirects from a page of this server. The redirect from the service carried no strict cookie; the one from this page
 * does.
 */
export function toReturnPage(query: string): Response {
  const target = escapeHtml(`${RETURN_PATH}${query}`)
  return toPage('One moment', `<main><p>One moment…</p><p><a href="${target}">Go on</a></p></main>`, {
    head: `<meta http-equiv="refresh" content="0;url=${target}">`,
  })
}

export const RETURN_PATH = '/oauth/return'
const SCRIPT_PATH = '/oauth/page.js'
const STYLE_PATH = '/oauth/page.css'

/** Script and style of the pages, as files: the content security policy allows nothing inline. */
export const PAGE_PARTS: Readonly<Record<string, readonly [mediaType: string, text: string]>> = {
  [SCRIPT_PATH]: [
    'text/javascript; charset=utf-8',
    `const state = document.querySelector('[data-sign-in]')?.dataset.signIn
const message = { type: 'sign-in-end', state }
new BroadcastChannel('capstan').postMessage(message)
window.opener?.postMessage(message, location.origin)
history.replaceState(null, '', '/oauth/return')
if (state === 'connected') setTimeout(() => window.close(), 800)
`,
  ],
  [STYLE_PATH]: [
    'text/css; charset=utf-8',
    `:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif }
body { display: grid; place-content: center; min-height: 100vh; margin: 0; padding: 1.5rem; box-sizing: border-box }
main { max-width: 28rem }
h1 { font-size: 1.375rem; margin: 0 0 .5rem }
button { font: inherit; padding: .5rem 1.25rem; border: 1px solid; border-radius: .5rem; cursor: pointer }
`,
  ],
}

/** The title and the body must be escaped already. */
export function toPage(
  title: string,
  body: string,
  { head = '', language = 'en' }: { readonly head?: string; readonly language?: string } = {},
): Response {
  const html = `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Capstan</title>
<link rel="stylesheet" href="${STYLE_PATH}">
${head}
</head>
<body>${body}</body>
</html>
`
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)
