import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Adds the variables of `.env` in a folder to the environment of this process. What is set already stays. */
export function readEnvironmentFile(folder: string): void {
  const path = join(folder, '.env')
  if (existsSync(path)) process.loadEnvFile(path)
}
