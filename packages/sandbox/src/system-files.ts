import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SandboxNetwork } from '@capstan/harness/sandbox'
import type { Mount } from './mounts.ts'
import { isInside, realOrSame, realPath } from './paths.ts'
import { runtimeFiles } from './runtime-folder.ts'

/** Programs and libraries of the system. Confined programs may read them. */
export const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store']

// What programs need to start and to speak TLS. Nothing here is about a person.
const SYSTEM_CONFIGURATION = [
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/alternatives',
  '/etc/localtime',
  '/etc/timezone',
  '/etc/mime.types',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/ca-certificates',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
]

// Written to by the real root user without any capability: sysctl values reach the whole machine.
const DANGEROUS_IN_PROC = [
  'sys',
  'sysrq-trigger',
  'irq',
  'bus',
  'acpi',
  'scsi',
  'mtrr',
  'dynamic_debug',
  'fs',
]

/** Options of bubblewrap for the system's own files, all of them to read only. */
export function systemArguments(network: SandboxNetwork): readonly string[] {
  const readOnly = (path: string, at = path): readonly string[] => ['--ro-bind', path, at]
  return [
    ...SYSTEM_FOLDERS.filter((path) => existsSync(path)).flatMap((path) =>
      lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : readOnly(path),
    ),
    ...SYSTEM_CONFIGURATION.flatMap((path) => {
      const real = realPath(path)
      return real === undefined ? [] : readOnly(real, path)
    }),
    ...(network === 'any' ? nameResolution() : []),
    '--proc',
    '/proc',
    ...DANGEROUS_IN_PROC.map((name) => join('/proc', name))
      .filter((path) => existsSync(path))
      .flatMap((path) => readOnly(path)),
    '--dev',
    '/dev',
  ]
}

function nameResolution(): readonly string[] {
  return ['/etc/hosts', '/etc/resolv.conf', '/etc/nsswitch.conf', '/etc/gai.conf'].flatMap((path) => {
    const real = realPath(path)
    return real === undefined ? [] : ['--ro-bind', real, path]
  })
}

/** Files of ours that stand for those of the system. */
export function ownSystemFiles(network: SandboxNetwork): readonly Mount[] {
  const { passwd, group, hosts } = runtimeFiles()
  return [
    { source: passwd, at: '/etc/passwd', access: 'read' },
    { source: group, at: '/etc/group', access: 'read' },
    ...(network === 'any' ? [] : [{ source: hosts, at: '/etc/hosts', access: 'read' } as const]),
  ]
}

/** The Node that runs this process, with its npm where it is installed as usual. */
export function nodeMounts(): readonly Mount[] {
  const node = realOrSame(process.execPath)
  if (SYSTEM_FOLDERS.some((folder) => isInside(folder, node))) return []
  const prefix = dirname(dirname(node))
  const isInstallation =
    node === join(prefix, 'bin/node') && existsSync(join(prefix, 'lib/node_modules/npm/package.json'))
  const visible = isInstallation ? prefix : node
  const asNamed =
    process.execPath === node ? [] : [{ source: node, at: process.execPath, access: 'read' } as const]
  return [{ source: visible, at: visible, access: 'read' }, ...asNamed]
}
