import type { Page } from '@capstan/notes-app'
import type { Finding } from '../counts.ts'

/** Each page that a call of the round creates has a title of its own, so that it is there at most once. */
export function* judgeNotes(pages: readonly Pick<Page, 'title'>[], round: number): Generator<Finding> {
  const titles = new Set<string>()
  for (const { title } of pages) {
    if (!title.startsWith(`r${round}t`)) continue
    if (titles.has(title)) yield { count: 'duplicateWrites', text: `the page ${title} was created twice` }
    titles.add(title)
  }
}
