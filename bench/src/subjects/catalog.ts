import { existsSync, readFileSync } from 'node:fs'

/** Each is a module of this name beside this file. */
export const SUBJECT_NAMES = [
  'floor',
  'capstan',
  'capstan-ai-sdk',
  'pi',
  'ai-sdk',
  'openai-agents',
  'langchain',
  'mastra',
] as const

export type SubjectName = (typeof SUBJECT_NAMES)[number]

/** The npm package a subject needs; absent for what the repository itself holds. */
const PACKAGES: Readonly<Partial<Record<SubjectName, string>>> = {
  pi: '@earendil-works/pi-agent-core',
  'ai-sdk': 'ai',
  'openai-agents': '@openai/agents',
  langchain: 'langchain',
  mastra: '@mastra/core',
}

export const THIS_REPOSITORY = 'this repository'

/** The version found in this package's own `node_modules`; `undefined` when it is not installed. */
export function installedVersion(name: SubjectName): string | undefined {
  const packageName = PACKAGES[name]
  if (packageName === undefined) return THIS_REPOSITORY
  const manifest = new URL(`../../node_modules/${packageName}/package.json`, import.meta.url)
  if (!existsSync(manifest)) return undefined
  const { version }: { readonly version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  return version
}
