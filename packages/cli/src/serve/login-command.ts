import { homeOf } from '../store-access/open-store.ts'
import type { Environment } from '../terminal/style.ts'

const PLAIN = /^[\w./:~@%+=-]+$/

/** The command that prints a login link for a data folder, to be run in any terminal of this user. */
export function toLoginCommand(home: string, env: Environment): string {
  // Another terminal need not have CAPSTAN_HOME.
  const usual = homeOf(undefined, { ...env, CAPSTAN_HOME: undefined })
  if (home === usual) return 'npx capstan login'
  return `npx capstan login --home ${PLAIN.test(home) ? home : `'${home.replaceAll("'", String.raw`'\''`)}'`}`
}
