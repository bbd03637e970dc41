import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'

/** A regular expression of the product and where it stands. */
export interface FoundPattern {
  readonly file: string
  readonly pattern: RegExp
}

/** Every regular expression of the packages: those that are written down, and those that a module builds when it is loaded. */
export async function collectPatterns(root: string): Promise<readonly FoundPattern[]> {
  const found: FoundPattern[] = []
  const builders: string[] = []
  for (const path of globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })) {
    const file = path.split(sep).join('/')
    if (/\.(?:test|fixture)\.tsx?$/.test(file) || file.includes('/testing/')) continue
    const { program } = parseSync(file, readFileSync(join(root, path), 'utf8'))
    new Visitor({
      Literal(node) {
        if ('regex' in node) found.push({ file, pattern: new RegExp(node.regex.pattern, node.regex.flags) })
      },
      NewExpression({ callee }) {
        if (callee.type === 'Identifier' && callee.name === 'RegExp') builders.push(file)
      },
    }).visit(program)
  }
  for (const file of new Set(builders)) {
    for (const pattern of await patternsBuiltBy(join(root, file))) found.push({ file, pattern })
  }
  return found
}

/** Loads a module and notes which regular expressions it and what it imports build meanwhile. */
async function patternsBuiltBy(path: string): Promise<readonly RegExp[]> {
  const built: RegExp[] = []
  const original = globalThis.RegExp
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags]: [string, string?]) {
      const pattern = new target(source, flags)
      built.push(pattern)
      return pattern
    },
  })
  try {
    await import(/* @vite-ignore */ pathToFileURL(path).href)
  } finally {
    globalThis.RegExp = original
  }
  return built
}
