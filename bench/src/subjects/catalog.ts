import { existsSync, readFileSync } from 'node:fs'
import type { WorkloadName } from '../workloads.ts'

/**
 * Where a conversation is kept beyond the variables of the loop itself: nowhere, in a store that lives in memory, or
 * on disk.
 */
export type Persistence = 'none' | 'memory' | 'jsonl' | 'sqlite' | 'postgres'

interface CatalogEntry {
  readonly persistence: Persistence
  /** npm packages it needs; the first gives the version. Empty for what the repository itself holds. */
  readonly packages: readonly string[]
  /** The same harness with another store: it sends the same requests, so its prefix is not measured again. */
  readonly storedFormOf?: string
  /** Of subjects on PostgreSQL: when a step is stored, and what a commit waits for. */
  readonly durability?: string
}

/** Each is a module of this name beside this file. */
const CATALOG = {
  floor: { persistence: 'none', packages: [] },
  'capstan-plain': { persistence: 'none', packages: [] },
  capstan: { persistence: 'memory', packages: [] },
  'capstan-ai-sdk': { persistence: 'memory', packages: [] },
  'capstan-sqlite': { persistence: 'sqlite', packages: [], storedFormOf: 'capstan' },
  'capstan-postgres': {
    persistence: 'postgres',
    packages: [],
    storedFormOf: 'capstan',
    durability: 'before each step, synchronous_commit=off; a sync where a power cut must not lose it',
  },
  'capstan-postgres-synced': {
    persistence: 'postgres',
    packages: [],
    storedFormOf: 'capstan',
    durability: 'before each step, and a sync after each commit',
  },
  pi: { persistence: 'none', packages: ['@earendil-works/pi-agent-core'] },
  'pi-jsonl': {
    persistence: 'jsonl',
    packages: ['@earendil-works/pi-agent-core'],
    storedFormOf: 'pi',
  },
  'pi-sqlite': {
    persistence: 'sqlite',
    packages: ['@earendil-works/pi-session-backend-sqlite-node', '@earendil-works/pi-agent-core'],
    storedFormOf: 'pi',
  },
  'ai-sdk': { persistence: 'none', packages: ['ai'] },
  'openai-agents': { persistence: 'none', packages: ['@openai/agents'] },
  'openai-agents-session': {
    persistence: 'memory',
    packages: ['@openai/agents'],
    storedFormOf: 'openai-agents',
  },
  langchain: { persistence: 'none', packages: ['langchain'] },
  'langchain-sqlite': {
    persistence: 'sqlite',
    packages: ['@langchain/langgraph-checkpoint-sqlite', 'langchain'],
    storedFormOf: 'langchain',
  },
  'langchain-postgres': {
    persistence: 'postgres',
    packages: ['@langchain/langgraph-checkpoint-postgres', 'langchain'],
    storedFormOf: 'langchain',
    durability: 'before each step, synchronous_commit=on',
  },
  'langchain-postgres-relaxed': {
    persistence: 'postgres',
    packages: ['@langchain/langgraph-checkpoint-postgres', 'langchain'],
    storedFormOf: 'langchain',
    durability: 'before each step, synchronous_commit=off',
  },
  'langchain-postgres-async': {
    persistence: 'postgres',
    packages: ['@langchain/langgraph-checkpoint-postgres', 'langchain'],
    storedFormOf: 'langchain',
    durability: 'during the next step, synchronous_commit=off',
  },
  mastra: { persistence: 'none', packages: ['@mastra/core'] },
  'mastra-libsql': {
    persistence: 'sqlite',
    packages: ['@mastra/libsql', '@mastra/memory', '@mastra/core'],
    storedFormOf: 'mastra',
  },
  'mastra-postgres': {
    persistence: 'postgres',
    packages: ['@mastra/pg', '@mastra/memory', '@mastra/core'],
    storedFormOf: 'mastra',
    durability: 'with savePerStep, synchronous_commit=on',
  },
  'mastra-postgres-relaxed': {
    persistence: 'postgres',
    packages: ['@mastra/pg', '@mastra/memory', '@mastra/core'],
    storedFormOf: 'mastra',
    durability: 'with savePerStep, synchronous_commit=off',
  },
  'mastra-postgres-end': {
    persistence: 'postgres',
    packages: ['@mastra/pg', '@mastra/memory', '@mastra/core'],
    storedFormOf: 'mastra',
    durability: 'at the end of the turn, synchronous_commit=off',
  },
} as const satisfies Record<string, CatalogEntry>

export type SubjectName = keyof typeof CATALOG

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant are known
export const SUBJECT_NAMES = Object.keys(CATALOG) as SubjectName[]

export const THIS_REPOSITORY = 'this repository'

/** The version found in this package's own `node_modules`; `undefined` when something it needs is not installed. */
export function installedVersion(name: SubjectName): string | undefined {
  const { packages }: CatalogEntry = CATALOG[name]
  const versions = packages.map(versionOf)
  if (versions.includes(undefined)) return undefined
  return packages.length === 0 ? THIS_REPOSITORY : versions[0]
}

export function persistenceOf(name: SubjectName): Persistence {
  return CATALOG[name].persistence
}

/** Which subject sends the same requests without the store; `undefined` when this is the plain one. */
export function plainFormOf(name: SubjectName): string | undefined {
  const entry: CatalogEntry = CATALOG[name]
  return entry.storedFormOf
}

/** The subjects for the measure of app tools, each in one form. */
export function connectsApps(name: SubjectName): boolean {
  const isOtherForm = name === 'capstan-plain' || name === 'capstan-ai-sdk'
  return !isOtherForm && plainFormOf(name) === undefined
}

/** A peer with its own store in its process. */
export function keepsOwnStore(name: SubjectName): boolean {
  const { packages, persistence }: CatalogEntry = CATALOG[name]
  return packages.length > 0 && persistence !== 'none' && persistence !== 'postgres'
}

export function usesPostgres(name: SubjectName): boolean {
  return persistenceOf(name) === 'postgres'
}

/** When a step is stored, and what a commit waits for; `undefined` for subjects that are not on PostgreSQL. */
export function durabilityOf(name: SubjectName): string | undefined {
  const { durability }: CatalogEntry = CATALOG[name]
  return durability
}

/** A server costs each step the same whatever it consists of, so subjects on PostgreSQL only run the loops. */
export function runsWorkload(name: SubjectName, workload: WorkloadName): boolean {
  return !usesPostgres(name) || workload === 'loop10' || workload === 'loop200'
}

/** A peer whose loop stores nothing. */
export function keepsNothing(name: SubjectName): boolean {
  const { packages, persistence }: CatalogEntry = CATALOG[name]
  return packages.length > 0 && persistence === 'none'
}

function versionOf(packageName: string): string | undefined {
  const manifest = new URL(`../../node_modules/${packageName}/package.json`, import.meta.url)
  if (!existsSync(manifest)) return undefined
  const { version }: { readonly version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  return version
}
