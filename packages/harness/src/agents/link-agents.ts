import type { AgentDefinition } from './agent-definition.ts'
import type { WrittenAgent } from './read-agent.ts'

export interface AgentFile extends WrittenAgent {
  readonly file: string
}

/** Why a file was left out. */
export interface AgentProblem {
  readonly file: string
  /** Where, if it is in one place. Counted from 1. */
  readonly line?: number
  readonly problem: string
}

/**
 * Gives each agent those it may spawn. Whoever names somebody who is not there is left out, and so is everybody in a
 * circle, since each of them could go on for ever. Pure.
 */
export function linkAgents(
  files: readonly AgentFile[],
  builtIns: readonly AgentDefinition[],
): { readonly agents: readonly AgentDefinition[]; readonly problems: readonly AgentProblem[] } {
  const problems: AgentProblem[] = []
  const left = new Map(files.map((file) => [file.definition.id, file]))
  const refuse = ({ file, lines, definition }: AgentFile, problem: string) => {
    problems.push({ file, line: lines.agents, problem })
    left.delete(definition.id)
  }

  const circles = files.map((file) => findCircle(file.definition.id, left))
  for (const [n, circle] of circles.entries()) {
    if (circle) refuse(files[n]!, `its agents go round in a circle: ${circle.join(' → ')}`)
  }
  const known = new Map(builtIns.map((agent) => [agent.id, agent]))
  // One that goes may be whom another names, so until none goes any more.
  for (let before = Infinity; left.size < before;) {
    before = left.size
    for (const file of left.values()) {
      const missing = file.agents.find((id) => !left.has(id) && !known.has(id))
      if (missing !== undefined)
        refuse(file, `there is no agent "${missing}", or it has a problem of its own`)
    }
  }

  const made = new Map<string, AgentDefinition>()
  function make(id: string): AgentDefinition {
    const file = left.get(id)
    if (!file) return known.get(id)!
    let agent = made.get(id)
    if (!agent) {
      agent = { ...file.definition, agents: file.agents.map(make) }
      made.set(id, agent)
    }
    return agent
  }
  return { agents: [...left.keys()].map(make), problems }
}

/** The shortest way from an agent back to itself. */
function findCircle(id: string, files: ReadonlyMap<string, AgentFile>): readonly string[] | undefined {
  const seen = new Set<string>()
  let ways: readonly (readonly string[])[] = [[id]]
  while (ways.length > 0) {
    const longer: string[][] = []
    for (const way of ways) {
      for (const next of files.get(way.at(-1)!)?.agents ?? []) {
        if (next === id) return [...way, id]
        if (seen.has(next)) continue
        seen.add(next)
        longer.push([...way, next])
      }
    }
    ways = longer
  }
  return undefined
}
