import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md', 'packages/*/src/**/*.md'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
}).map((page) => page.replaceAll('\\', '/'))
const read = (page: string): string => readFileSync(join(root, page), 'utf8')

/** Without blocks of code, in which brackets mean something else. */
const proseOf = (page: string): string => read(page).replaceAll(/^```[^]*?^```/gm, '')

/** The anchor of a heading, as GitHub makes it. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchorsOf = (page: string): readonly string[] =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => toAnchor(heading!))

const FOLDERS = /^(packages|tools|examples|docs|bench)\/[\w@./-]+$/

describe('a page of the documentation', () => {
  it.each(pages)('%s links only to files and headings that exist', (page) => {
    const broken: string[] = []
    for (const [, link] of proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link!)) continue
      const [path = '', anchor] = link!.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      const isThere = existsSync(join(root, target))
      if (!isThere || (anchor && !anchorsOf(target).includes(anchor))) broken.push(link!)
    }
    expect(broken).toEqual([])
  })

  it.each(pages.filter((page) => page !== 'CHANGELOG.md'))('%s names only paths that exist', (page) => {
    const named = [...proseOf(page).matchAll(/`([^`\s]+)`/g)].map(([, text]) => text!)
    const paths = named.filter((text) => FOLDERS.test(text))
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

describe('the table "Where things live"', () => {
  const [, section = ''] = read('docs/architecture.md').split('## Where things live')
  const [table = ''] = section.split('\n## ')
  const rows = [...table.matchAll(/^\| (.+\?) +\| `([^`]+)` +\| `([^`]+)` +\| `([^`]+)` +\|$/gm)]

  it('answers at least twenty questions', () => expect(rows.length).toBeGreaterThanOrEqual(20))

  it.each(rows.map(([, question, folder, file, name]) => ({ question, folder, file, name })))(
    'answers "$question"',
    ({ folder, file, name }) => {
      expect(read(`packages/${folder}/src/${file}`)).toContain(name)
    },
  )
})

describe('the page about security', () => {
  const tests = globSync(['packages/*/src/**/*.test.{ts,tsx}', 'tools/**/*.test.ts'], { cwd: root })
  const named = [...read('docs/security.md').matchAll(/`([\w./*-]+\.test\.tsx?)`/g)].map(([, name]) => name!)
  const matching = (name: string): readonly string[] =>
    tests.map((path) => `/${path.replaceAll('\\', '/')}`).filter((path) => path.endsWith(`/${name}`))

  it('names each test so that there is one file of that name', () => {
    const single = named.filter((name) => !name.includes('*'))
    expect(single.filter((name) => matching(name).length !== 1)).toEqual([])
  })
})
