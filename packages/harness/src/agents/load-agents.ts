import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { openForReading, readPart } from '../tools/files/open-inside.ts'
import type { Roots } from '../tools/files/roots.ts'
import { createRoots } from '../tools/files/roots.ts'
import type { AgentDefinition } from './agent-definition.ts'
import { BUILT_IN_IDS } from './built-in-agents.ts'
import type { LineProblem } from './front-matter.ts'
import { linkAgents } from './link-agents.ts'
import type { AgentFile, AgentProblem } from './link-agents.ts'
import { readAgent } from './read-agent.ts'

/** The agents of a folder, and its problems. */
export interface LoadedAgents {
  /** The agents an orchestrator may spawn: built-in agents that were not replaced, then those of the folder. */
  readonly agents: readonly AgentDefinition[]
  /** The skipped files, with reasons. */
  readonly problems: readonly AgentProblem[]
}

/** Options for loading agents. */
export interface LoadAgentsOptions {
  /** The existing agents. A file may name them in `agents`, and replace one with `replace: true`. */
  readonly builtIns?: readonly AgentDefinition[]
}

const MAX_FILES = 100
const MAX_FILE_BYTES = 64 * 1024

/**
 * Reads agents from the Markdown files of a folder, one per file. A file with a problem is skipped, and so are the agents
 * that may spawn it; the others are loaded. A missing folder has none. Nothing outside of the folder is read. Never throws
 * for the contents of the folder.
 */
export async function loadAgents(
  folder: string,
  { builtIns = [] }: LoadAgentsOptions = {},
): Promise<LoadedAgents> {
  const problems: AgentProblem[] = []
  const refuse = (file: string, { line, problem }: { line?: number; problem: string }) =>
    void problems.push({ file, ...(line === undefined ? undefined : { line }), problem })
  let names: readonly string[]
  let roots: Roots
  try {
    names = await listFiles(folder)
    roots = createRoots([folder])
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return {
      agents: builtIns,
      problems: isMissing ? [] : [{ file: folder, problem: 'the folder could not be read' }],
    }
  }
  for (const name of names.slice(MAX_FILES)) {
    refuse(name, { problem: `there are more than ${MAX_FILES} agents in the folder` })
  }
  const files: AgentFile[] = []
  for (const name of names.slice(0, MAX_FILES)) {
    const text = await readText(join(folder, name), name, roots)
    if (typeof text !== 'string') {
      refuse(name, text)
      continue
    }
    const read = readAgent(text, name)
    if ('problems' in read) for (const problem of read.problems) refuse(name, problem)
    else {
      const clash = findClash({ file: name, ...read.agent }, files, builtIns)
      if (clash) refuse(name, clash)
      else files.push({ file: name, ...read.agent })
    }
  }
  const linked = linkAgents(files, builtIns)
  const replaced = new Set(linked.agents.map(({ id }) => id))
  return {
    agents: [...builtIns.filter(({ id }) => !replaced.has(id)), ...linked.agents],
    problems: [...problems, ...linked.problems].toSorted(byPlace),
  }
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder)
  // The same order on every machine: of two agents with one id the first is kept.
  return names.filter((name) => /^[^.].*\.md$/i.test(name)).toSorted((a, b) => (a < b ? -1 : 1))
}

async function readText(
  path: string,
  name: string,
  roots: Roots,
): Promise<string | { readonly line?: number; readonly problem: string }> {
  let real: string
  try {
    real = await realpath(path)
  } catch {
    return { problem: 'it is a link that leads nowhere, or was removed' }
  }
  if (roots.around(real) === undefined) return { problem: 'it is a link to something outside of the folder' }
  const opened = await openForReading({ path: real, shown: name, exists: true }, roots)
  if ('refusal' in opened) return { problem: opened.refusal.text }
  try {
    const bytes = await readPart(opened.file, 0, MAX_FILE_BYTES + 1)
    if (bytes.length > MAX_FILE_BYTES) return { problem: `it has more than ${MAX_FILE_BYTES} bytes` }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    return { problem: error instanceof TypeError ? 'it is not written in UTF-8' : 'it could not be read' }
  } finally {
    await opened.file.close()
  }
}

/** Ids are unique, and an id of the harness needs `replace: true`. */
function findClash(
  { definition: { id }, replaces, lines }: AgentFile,
  others: readonly AgentFile[],
  builtIns: readonly AgentDefinition[],
): LineProblem | undefined {
  const other = others.find(({ definition }) => definition.id === id)
  if (other) return { line: lines.id, problem: `the id "${id}" is taken by ${other.file}` }
  const builtIn = builtIns.find((agent) => agent.id === id)
  if (builtIn?.setup || (!builtIn && BUILT_IN_IDS.has(id))) {
    return { line: lines.id, problem: `"${id}" belongs to the harness and cannot be replaced` }
  }
  if (builtIn && !replaces) {
    return {
      line: lines.id,
      problem: `"${id}" is a built-in agent: write "replace: true" to put this one in its place, or choose another id`,
    }
  }
  if (!builtIn && replaces) {
    return { line: lines.replace, problem: `there is no built-in agent "${id}" to replace` }
  }
  return undefined
}

function byPlace(a: AgentProblem, b: AgentProblem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0)
}
