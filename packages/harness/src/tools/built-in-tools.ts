import type { ArtifactStore } from '../ports/artifact-store.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { createAskUserTool } from './ask-user.ts'
import { createClockTool } from './clock.ts'
import type { FileToolOptions } from './files.ts'
import { createFileTools } from './files.ts'
import { createReadArtifactTool } from './read-artifact.ts'
import type { ShellOptions } from './shell.ts'
import { createShellTool } from './shell.ts'
import type { WebFetchOptions } from './web-fetch.ts'
import { createWebFetchTool } from './web-fetch.ts'

/** Options for the built-in tools. */
export interface BuiltInToolOptions {
  /** The zone of the clock when none is asked for. */
  readonly timeZone?: string
  /** `false`: no web. */
  readonly web?: WebFetchOptions | false
  /** Where large results lie; with it comes the tool to read on in them. */
  readonly artifacts?: ArtifactStore
  /** Folders for files and commands; without any, there are neither. */
  readonly roots?: readonly string[]
  readonly files?: Omit<FileToolOptions, 'roots'>
  /** Commands too. Off unless asked for, and only with `roots`. They run only with a `sandbox`. */
  readonly shell?: boolean | Omit<ShellOptions, 'roots' | 'enabled'>
}

/** The tools that come with the harness, as far as what they need is given. */
export function createBuiltInTools({
  timeZone,
  web = {},
  artifacts,
  roots = [],
  files = {},
  shell = false,
}: BuiltInToolOptions = {}): readonly Tool[] {
  const hasRoots = roots.length > 0
  return [
    createClockTool(timeZone === undefined ? {} : { timeZone }),
    createAskUserTool(),
    ...(web === false ? [] : [createWebFetchTool(web)]),
    ...(artifacts ? [createReadArtifactTool(artifacts)] : []),
    ...(hasRoots ? createFileTools({ roots, ...files }) : []),
    ...(hasRoots && shell !== false
      ? [createShellTool({ roots, enabled: true, ...(shell === true ? {} : shell) })]
      : []),
  ]
}
