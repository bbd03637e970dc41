import type { AgentDefinition } from './agent-definition.ts'
import type { WrittenAgent } from './read-agent.ts'

/** An agent and the file it comes from. */
export interface AgentFile extends WrittenAgent {
  readonly file: string
}

/** Why a file was skipped. */
export interface AgentProblem {
  readonly file: string
  /** The line, if the problem is in one. Counted from 1. */
  readonly line?: number
  readonly problem: string
}

/**
 * Gives each agent the agents it may spawn. An agent that names an unknown agent is skipped, and so is every agent in a
 * circle, because a circle could run for ever. Pure.
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
  // A skipped agent may be named by another, so this repeats until no agent is skipped.
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

/** The shortest path from an agent back to itself. */
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
