import { MARK, html, layout } from './html.ts'

/** A calm page for what went wrong. It never repeats what was sent. */
export function errorPage({ title, text, home }: { title: string; text: string; home: string }): string {
  return layout({
    title: `${title} · Notes`,
    body: html`<main class="sheet">
      <p class="brand">${MARK}<span>Notes</span></p>
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      <p><a href="${home}">Open Notes</a></p>
    </main>`,
  })
}
