import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { loadAgents } from '@capstan/harness/agents'
import type { AssistantOptions } from '@capstan/server'
import { CommandError } from '../shell/shell.ts'
import type { Environment } from '../terminal/style.ts'
import { readConnections } from './read-connections.ts'
import { readTools } from './read-tools.ts'

/** What a folder makes of an assistant. */
export type FolderAgent = Required<Pick<AssistantOptions, 'tools' | 'agents' | 'presets'>> &
  Pick<AssistantOptions, 'instructions'>

const MAX_INSTRUCTIONS = 20_000

/**
 * Reads an agent: `instructions.md`, `tools/`, `agents/*.md` and `connections.json`, each of which may be missing. Runs
 * the modules in `tools/`. Throws a `CommandError` that names every file that cannot be used.
 */
export async function readAgentFolder(folder: string, env: Environment): Promise<FolderAgent> {
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new CommandError(
      `${folder} is not a folder: name the folder of an agent. "capstan init" makes one.`,
    )
  const problems: string[] = []
  const instructions = await readInstructions(folder, problems)
  const tools = await readTools(join(folder, 'tools'), problems)
  const agents = await readAgents(join(folder, 'agents'), problems)
  const presets = await readConnections(join(folder, 'connections.json'), env, problems)
  if (problems.length > 0)
    throw new CommandError(`The agent in ${folder} cannot be used.`, {
      class: 'invalid_input',
      details: problems.map((problem) => `  ${problem}`),
      next: 'Correct what is listed and start again.',
    })
  return { tools, agents, presets, ...(instructions && { instructions }) }
}

async function readInstructions(folder: string, problems: string[]): Promise<string | undefined> {
  try {
    const text = (await readFile(join(folder, 'instructions.md'), 'utf8')).trim()
    if (text.length > MAX_INSTRUCTIONS)
      problems.push(`instructions.md: has ${text.length} characters; ${MAX_INSTRUCTIONS} are allowed`)
    return text
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') problems.push(`instructions.md: cannot be read (${code})`)
    return undefined
  }
}

async function readAgents(folder: string, problems: string[]) {
  const { agents, problems: found } = await loadAgents(folder)
  for (const { file, line, problem } of found)
    problems.push(`agents/${file}${line === undefined ? '' : `:${line}`}: ${problem}`)
  return agents
}
