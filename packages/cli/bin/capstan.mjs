#!/usr/bin/env node
// Starts Capstan on any version of Node. A supported version continues here; an older one restarts this file on the
// Node that npm installed. This is plain JavaScript, because an old Node must be able to parse it.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { isSupported } from './find-node.mjs'

/** The sources in the repository, and the built file in a package. */
const source = new URL('../src/main.ts', import.meta.url)
const main = existsSync(source) ? source : new URL('../dist/main.js', import.meta.url)

if (isSupported(process.versions.node)) {
  delete process.env.CAPSTAN_RESTARTED
  hideWarnings()
  // Before anything else is loaded: later starts skip compiling it.
  if (module.enableCompileCache) module.enableCompileCache()
  void import(main.href).then(({ start }) => start())
} else {
  void import('./restart.mjs').then(({ restart }) => restart(new URL(import.meta.url), main === source))
}

/** Some things that Capstan relies on are called experimental, most of them by Node 22 only. Every other warning is shown. */
function hideWarnings() {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    if (/^(SQLite|Type Stripping|stripTypeScriptTypes) is an experimental feature/.test(String(warning)))
      return
    emitWarning.call(process, warning, ...rest)
  }
}
