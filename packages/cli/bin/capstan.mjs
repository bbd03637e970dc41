#!/usr/bin/env node
// Starts Capstan on any version of Node. A supported version continues here; an older one restarts this file on the
// Node that npm installed. This is plain JavaScript, because an old Node must be able to parse it.
import { spawn } from 'node:child_process'
import module from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPinnedNode, isSupported, upgradeHint } from './find-node.mjs'

const GUARD = 'CAPSTAN_RESTARTED'
const self = fileURLToPath(import.meta.url)

if (isSupported(process.versions.node)) {
  delete process.env[GUARD]
  // Later starts skip compiling the sources.
  if (module.enableCompileCache) module.enableCompileCache()
  void import('../src/main.ts').then(({ start }) => start())
} else {
  const { platform, arch } = process
  const node = process.env[GUARD] ? undefined : findPinnedNode({ from: dirname(self), platform, arch })
  if (node) restartOn(node)
  else giveUp()
}

function restartOn(node) {
  const child = spawn(node, [self, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: Object.assign({}, process.env, { [GUARD]: '1' }),
  })
  // A terminal sends Ctrl-C to both processes; forwarding it would count as a second press.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  process.on('SIGINT', () => {
    if (!hasTerminal) child.kill('SIGINT')
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', giveUp)
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function giveUp() {
  console.error(upgradeHint(process.versions.node))
  process.exit(1)
}
