import { readsInPlainRepositories } from './command-class.ts'

const GIT_SETTINGS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['log.showSignature', 'false'],
  ['diff.autoRefreshIndex', 'false'],
  ['diff.ignoreSubmodules', 'all'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
  ['safe.bareRepository', 'explicit'],
]

/**
 * What a command that was judged `read` is run with, besides its few variables. It keeps git from refreshing its index,
 * from running what a repository's configuration names, and from fetching.
 */
export const SAFE_SHELL_ENVIRONMENT: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_CONFIG_COUNT: String(GIT_SETTINGS.length),
  ...Object.fromEntries(
    GIT_SETTINGS.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
}

/** The variables to add for a command: none, unless it may have been judged `read`. */
export const safeEnvironmentOf = (command: string): Readonly<Record<string, string>> =>
  readsInPlainRepositories(command) ? SAFE_SHELL_ENVIRONMENT : {}
