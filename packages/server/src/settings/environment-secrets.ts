import type { Environment } from './choose-model.ts'
import { KEY_VARIABLES } from './choose-model.ts'

/** Keys of models and apps, of the secrets in the database, and of the bucket. */
const VARIABLES: readonly string[] = [
  ...Object.values(KEY_VARIABLES),
  'COMPOSIO_API_KEY',
  'CAPSTAN_SECRET_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
]

/** The credentials that this process was started with, and that no tool may show to a model. */
export function secretsOf(env: Environment, databaseUrl: string | undefined): readonly string[] {
  const values = VARIABLES.map((variable) => env[variable]?.trim())
  return [...values, ...passwordsOf(databaseUrl)].filter((value) => value !== undefined)
}

/** The password as it is in the address, and as it is used. */
function passwordsOf(databaseUrl = ''): readonly string[] {
  const { username = '', password = '' } = URL.parse(databaseUrl) ?? {}
  // Of a database for trying: to hide the word would hide it everywhere.
  if (password === username) return []
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}
