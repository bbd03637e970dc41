/**
 * Runs inside of the sandbox, in front of the program: listens on a port of the loopback there, hands every connection
 * to the proxy's socket, tells the program about the port by variables, and ends as the program ends. It is a text and
 * no module because it must run alone, without our packages.
 */
export const FORWARDER = `'use strict'
const net = require('node:net')
const os = require('node:os')
const { spawn } = require('node:child_process')
const [socketPath, noProxy, command, ...args] = process.argv.slice(2)
const server = net.createServer((inner) => {
  const outer = net.connect(socketPath)
  const end = () => { inner.destroy(); outer.destroy() }
  for (const side of [inner, outer]) side.on('error', end).on('close', end)
  inner.pipe(outer).pipe(inner)
})
server.listen(0, '127.0.0.1', () => {
  const url = 'http://127.0.0.1:' + server.address().port
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1' }
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) env[name] = env[name.toLowerCase()] = url
  if (noProxy) env.NO_PROXY = env.no_proxy = noProxy
  const child = spawn(command, args, { env, stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => { console.error(error.message); process.exit(127) })
  child.on('exit', (code, signal) => process.exit(code === null ? 128 + os.constants.signals[signal] : code))
})
`
