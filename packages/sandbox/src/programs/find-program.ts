import { accessSync, constants, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'

const STANDARD = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/** Where confined programs look for others. */
export const innerPath = (): string => [dirname(process.execPath), ...STANDARD].join(':')

/** The file of a program, looked up as a shell would. Undefined when it is not installed. */
export function findProgram(command: string, cwd: string): string | undefined {
  if (command.includes('/')) {
    const path = isAbsolute(command) ? command : resolve(cwd, command)
    return isProgram(path) ? path : undefined
  }
  const folders = [...innerPath().split(':'), ...(process.env['PATH'] ?? '').split(':')]
  return folders
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, command))
    .find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
