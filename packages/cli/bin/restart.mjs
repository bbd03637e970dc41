// Must run on old versions of Node, like find-node.mjs.
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPinnedNode, upgradeHint } from './find-node.mjs'

const GUARD = 'CAPSTAN_RESTARTED'

/** Runs a program again on the Node that npm installed with Capstan, or says what to do when there is none. */
export function restart(program, isRepository) {
  const self = fileURLToPath(program)
  const { platform, arch } = process
  const node = process.env[GUARD] ? undefined : findPinnedNode({ from: dirname(self), platform, arch })
  const giveUp = () => {
    console.error(upgradeHint(process.versions.node, isRepository))
    process.exit(1)
  }
  if (!node) return giveUp()
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
