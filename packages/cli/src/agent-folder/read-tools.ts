import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Tool } from '@capstan/harness'

const MODULE = /\.m?[jt]s$/
const NOT_A_TOOL = /\.test\.|\.d\.[mc]?ts$/

/** The tools that the modules of a folder export, in any export. Reports a module that cannot be loaded, or has none. */
export async function readTools(folder: string, problems: string[]): Promise<readonly Tool[]> {
  const files = (await readdir(folder).catch(() => []))
    .filter((file) => MODULE.test(file) && !NOT_A_TOOL.test(file))
    .toSorted()
  const found = new Map<string, string>()
  const tools: Tool[] = []
  for (const file of files) {
    const name = `tools/${file}`
    const exported = await load(join(folder, file), name, problems)
    if (!exported) continue
    if (exported.length === 0)
      problems.push(`${name}: exports no tool; write "export default defineTool({ … })"`)
    for (const tool of exported) {
      const other = found.get(tool.name)
      if (other !== undefined) problems.push(`${name}: the tool "${tool.name}" is in ${other} already`)
      found.set(tool.name, name)
      tools.push(tool)
    }
  }
  return tools
}

async function load(path: string, name: string, problems: string[]): Promise<readonly Tool[] | undefined> {
  try {
    const module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>
    return [...new Set(Object.values(module).flat())].filter(isTool)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    problems.push(`${name}: ${why.trim().replaceAll(/\s+/g, ' ')}`)
    return undefined
  }
}

function isTool(value: unknown): value is Tool {
  if (typeof value !== 'object' || value === null) return false
  const { name, description, run } = value as Partial<Tool>
  return typeof name === 'string' && typeof description === 'string' && typeof run === 'function'
}
