import { describe, expect, it } from 'vitest'
import { diffCompactor } from './diff.ts'
import { facts, linesOf } from './outputs.fixture.ts'

const short = (text: string): string => diffCompactor.shorten(text, facts())

const context = (count: number, name: string) => linesOf(count, (index) => ` ${name} ${index}`)

describe('a diff', () => {
  it('is recognised by its headers', () => {
    const plain = '--- a/menu.txt\n+++ b/menu.txt\n@@ -1 +1 @@\n-tea\n+mint tea\n'
    expect(diffCompactor.recognises(`commit 12ab\nAuthor: Ana\n\n${plain}`, facts())).toBe(true)
    expect(diffCompactor.recognises('diff --git a/x b/x\nindex 1234..5678\n', facts())).toBe(true)
    expect(diffCompactor.recognises('--- a rule\nand a list\n+ one\n- two\n', facts())).toBe(false)
  })

  it('keeps headers and changes, and one line around them', () => {
    const diff = `diff --git a/menu.txt b/menu.txt
index 1234567..89abcde 100644
--- a/menu.txt
+++ b/menu.txt
@@ -1,14 +1,14 @@ drinks
${context(3, 'before')}
-tea
+mint tea
${context(6, 'between')}
-rum
+rum, 4 cl
${context(3, 'after')}
`
    expect(short(diff)).toBe(`diff --git a/menu.txt b/menu.txt
--- a/menu.txt
+++ b/menu.txt
@@ -1,14 +1,14 @@ drinks
 before 2
-tea
+mint tea
 between 0
 …
 between 5
-rum
+rum, 4 cl
 after 0
`)
  })

  it('parses a hunk by its line count, so that no change is taken for a header', () => {
    const diff = '--- a/q.sql\n+++ b/q.sql\n@@ -1,3 +1,3 @@\n one\n--- old comment\n+++ new comment\n two\n'
    expect(short(diff)).toBe(diff)
  })

  it('counts the changes in lock files and generated files', () => {
    const lock = (path: string) => `diff --git a/${path} b/${path}
--- a/${path}
+++ b/${path}
@@ -1,2 +1,3 @@
-one
-two
+eins
+zwei
+drei
@@ -9 +9 @@
-nine
+neun
`
    const source = '--- a/shop.ts\n+++ b/shop.ts\n@@ -1 +1 @@\n-old\n+new'
    const shown = short(
      `${lock('web/package-lock.json')}${lock('site.min.js')}diff --git a/shop.ts b/shop.ts\n${source}`,
    )
    expect(shown.match(/\[generated: 4 lines added, 3 removed\]/g)).toHaveLength(2)
    expect(shown).not.toContain('eins')
    expect(shown).toContain(source)
  })

  it('without git headers separates a generated file from the next', () => {
    const shown = short(
      '--- a/yarn.lock\n+++ b/yarn.lock\n@@ -1 +1 @@\n-1\n+2\n--- a/shop.ts\n+++ b/shop.ts\n@@ -1 +1 @@\n-old\n+new',
    )
    expect(shown).toContain('[generated: 1 lines added, 1 removed]\n--- a/shop.ts')
    expect(shown).toContain('-old\n+new')
  })

  it('shortens long hunks before it drops a file', () => {
    const file = (index: number) =>
      `diff --git a/f${index}.ts b/f${index}.ts\n--- a/f${index}.ts\n+++ b/f${index}.ts\n@@ -0,0 +1,200 @@\n${linesOf(200, (line) => `+line ${line} of file ${index}`)}`
    const shown = short(linesOf(12, file))
    expect(shown).toContain('+++ b/f11.ts')
    expect(shown).toContain('+line 39 of file 0\n[… 160 more lines of this hunk]')
    expect(shown.length).toBeLessThan(12_500)
  })

  it('keeps the text around it', () => {
    const letter = `${'A long line about the change. '.repeat(40)}\n\n`
    expect(short(`${letter}--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n`)).toContain(letter)
  })
})
