import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What all nodes of a cluster share and nobody else may know. */
interface ClusterSecrets {
  /** For `CAPSTAN_SECRET_KEY`. */
  readonly secretKey: string
  readonly databasePassword: string
}

/** Reads the secrets of a folder, or makes them. The file is readable by its owner only. */
export function openClusterSecrets(home: string): ClusterSecrets {
  const path = join(home, 'cluster-secrets.json')
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ClusterSecrets
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const secrets = {
    secretKey: randomBytes(32).toString('hex'),
    databasePassword: randomBytes(24).toString('hex'),
  }
  writeFileSync(path, JSON.stringify(secrets), { mode: 0o600, flag: 'wx' })
  return secrets
}
