import type { Page } from '../notebook/page.ts'

/** The whole notebook as one text, with a history long enough to reach `bytes`. The same pages give the same text. */
export function exportText(notebookName: string, pages: readonly Page[], bytes: number): string {
  const parts = [`Export of ${notebookName}: ${pages.length} pages\n`]
  for (const page of pages) {
    parts.push(`\n===== ${page.title} (${page.id}, version ${page.version}) =====\n\n${page.text}\n`)
  }
  parts.push('\n===== History =====\n')
  let length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  for (let entry = 1; length < bytes; entry++) {
    const page = pages[entry % Math.max(1, pages.length)]
    const line = `${String(entry).padStart(6, '0')}  opened  ${page?.id ?? 'none'}  ${page?.title ?? 'empty notebook'}  for ${(entry * 37) % 600} seconds\n`
    parts.push(line)
    length += Buffer.byteLength(line)
  }
  return parts.join('')
}
