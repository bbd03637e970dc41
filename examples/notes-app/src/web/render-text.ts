import type { Html } from './html.ts'
import { html } from './html.ts'

/** A page's text with its headings and lists drawn. Everything else stays as it was written. */
export function renderText(text: string): Html {
  const blocks: Html[] = []
  let items: Html[] = []
  let lines: string[] = []
  const endList = (): void => {
    if (items.length > 0)
      blocks.push(
        html`<ul>
          ${items}
        </ul>`,
      )
    items = []
  }
  const endParagraph = (): void => {
    if (lines.length > 0) blocks.push(html`<p>${lines.join('\n')}</p>`)
    lines = []
  }
  for (const line of text.split(/\r?\n/u)) {
    const heading = /^#{1,6}\s+(.*)$/u.exec(line)
    const item = /^\s*[-*]\s+(.*)$/u.exec(line)
    if (!item) endList()
    if (heading || item || line.trim() === '') endParagraph()
    if (heading) blocks.push(html`<h2>${heading[1] ?? ''}</h2>`)
    else if (item) items.push(html`<li>${item[1] ?? ''}</li>`)
    else if (line.trim() !== '') lines.push(line)
  }
  endList()
  endParagraph()
  return html`<div class="text">${blocks}</div>`
}
