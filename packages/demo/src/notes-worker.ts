import { cutText } from '@capstan/harness/connectors'
import { afterNotDone, DONE, NOT_DONE } from './notes-scenes.ts'
import type { DemoCall, DemoReply, Finished, DemoTurn } from './demo-turn.ts'
import { call, firstLine, reasonOf } from './demo-turn.ts'

/** The most pages that one task reads. */
const MAX_PAGES = 6

interface Task {
  readonly fits: RegExp
  readonly calls: (match: readonly string[]) => readonly DemoCall[]
  readonly report: (finished: readonly Finished[]) => string
}

const textsOf = (finished: readonly Finished[]): string =>
  finished.map(({ text }) => text.trim()).join('\n\n')

const TASKS: readonly Task[] = [
  {
    fits: /^Create a page titled ("(?:[^"\\]|\\.)*") with this text:\n([\s\S]*)$/,
    calls: ([, title = '""', text = '']) => [
      call('create_page', { title: JSON.parse(title) as string, text }),
    ],
    report: ([made]) => firstLine(made?.text ?? ''),
  },
  {
    fits: /^List the pages\.$/,
    calls: () => [call('list_pages')],
    report: (finished) => withoutJson(textsOf(finished)),
  },
  {
    fits: /^Search the pages for ("(?:[^"\\]|\\.)*")\.$/,
    calls: ([, query = '""']) => [call('search_pages', { query: JSON.parse(query) as string })],
    report: (finished) => withoutJson(textsOf(finished)),
  },
  {
    fits: /^Read the pages? (p_[0-9a-f]+(?:, p_[0-9a-f]+)*)\.$/,
    calls: ([, ids = '']) =>
      ids
        .split(', ')
        .slice(0, MAX_PAGES)
        .map((pageId) => call('read_page', { pageId })),
    report: (finished) => finished.map(({ text }) => withoutJson(text)).join('\n\n'),
  },
  {
    fits: /^Bring in the calendar\.$/,
    calls: () => [call('sync_calendar')],
    report: ([brought]) => firstLine(brought?.text ?? ''),
  },
  {
    fits: /^Export the notebook\.$/,
    calls: () => [call('export_notebook')],
    report: ([exported]) =>
      `The notebook was exported; it is far too long to show. It begins like this:\n\n> ${firstLine(cutText(exported?.text ?? '', 400))}`,
  },
  {
    fits: /^Rebuild the search index\.$/,
    calls: () => [call('reindex_notebook')],
    report: ([indexed]) => firstLine(indexed?.text ?? ''),
  },
]

/** Removes the structured copy of a result, which follows the text. */
function withoutJson(text: string): string {
  const whole = text.trim()
  const start = whole.endsWith('}') ? whole.indexOf('\n\n{') : -1
  return start < 0 ? whole : whole.slice(0, start).trim()
}

/** The sub-agent that works in the app. */
export function workInNotes({ words, finished }: DemoTurn): DemoReply {
  const asked = words.slice(
    words.lastIndexOf('[Task]\n') + (words.includes('[Task]\n') ? '[Task]\n'.length : 0),
  )
  const task = TASKS.find(({ fits }) => fits.test(asked))
  const match = task?.fits.exec(asked)
  if (!task || !match) return { text: `${NOT_DONE}my script does not know this task.` }
  if (finished.length === 0) return { text: '', calls: task.calls(match) }
  const failed = finished.find(({ ok }) => !ok)
  if (!failed) return { text: `${DONE}${task.report(finished)}` }
  return { text: `${NOT_DONE}${reasonOf(failed.text)}` }
}

/** The sub-agents that read in the app through a sub-agent of their own. */
export function readNotes({ finished, last }: DemoTurn, isPlan: boolean): DemoReply {
  const ask = (prompt: string): DemoReply => ({
    text: '',
    calls: [call('delegate_to_integrations_agent', { toolkit: 'notes', prompt })],
  })
  if (!last) return ask('List the pages.')
  if (!last.ok || !last.text.startsWith(DONE))
    return { text: `${NOT_DONE}${reasonOf(afterNotDone(last.text))}` }
  if (finished.length === 1) {
    const ids = [...last.text.matchAll(/p_[0-9a-f]{8,}/g)].map(([id]) => id)
    const pages = [...new Set(ids)].slice(0, MAX_PAGES)
    return pages.length === 0
      ? { text: 'There are no pages in the Notes.' }
      : ask(`Read the pages ${pages.join(', ')}.`)
  }
  const pages = toPages(last.text.slice(DONE.length))
  return { text: isPlan ? toPlan(pages) : toReport(pages) }
}

interface PageText {
  readonly title: string
  readonly lines: readonly string[]
}

function toPages(text: string): readonly PageText[] {
  return text
    .split(/^# /m)
    .slice(1)
    .map((page) => {
      const [title = '', ...lines] = page.split('\n')
      return { title: title.trim(), lines: lines.map((line) => line.trim()).filter((line) => line !== '') }
    })
}

const toReport = (pages: readonly PageText[]): string =>
  pages
    .map(
      ({ title, lines }) =>
        `- **${title}**: ${cutText(lines.map((line) => line.replace(/^[-#*]+ /, '')).join(' '), 120)}`,
    )
    .join('\n')

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** A page that names a day keeps it; the others fill the free days in order. */
function toPlan(pages: readonly PageText[]): string {
  const free = DAYS.filter((day) => !pages.some((page) => dayOf(page) === day))
  const rows = pages.map((page) => ({ day: dayOf(page) ?? free.shift() ?? 'Sunday', page }))
  return rows
    .toSorted((a, b) => DAYS.indexOf(a.day) - DAYS.indexOf(b.day))
    .map(
      ({ day, page }, index) =>
        `${index + 1}. ${day}: ${page.title} (${cutText(page.lines[0]?.replace(/^[-#*]+ /, '') ?? 'an empty page', 80)})`,
    )
    .join('\n')
}

const dayOf = ({ lines }: PageText): string | undefined =>
  DAYS.find((day) => lines.some((line) => line.includes(`on ${day} `)))
