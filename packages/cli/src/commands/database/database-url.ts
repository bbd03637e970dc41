import type { Environment } from '../../terminal/style.ts'
import { UsageError } from '../../shell/shell.ts'

/** The lines about the database and its key for `--help`. */
export const KEY_HELP = `  --key-file <file>     the key of the database; default: CAPSTAN_KEY_FILE, or the key in
                        CAPSTAN_SECRET_KEY (64 hexadecimal digits)`

/** The address of the database: the flag, or DATABASE_URL. A message never repeats it: it may hold a password. */
export function databaseUrlOf(flag: string | undefined, name: string, env: Environment): string {
  const url = flag ?? env['DATABASE_URL']
  if (!url)
    throw new UsageError(
      `Name the database with --${name} postgres://user@host/database, or set DATABASE_URL.`,
    )
  if (!/^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(`--${name} is an address such as postgres://user@host:5432/database.`)
  return url
}

/** The file of the key of the database, if one was named. */
export const keyFileOf = (flag: string | undefined, env: Environment): string | undefined =>
  flag ?? (env['CAPSTAN_KEY_FILE'] || undefined)
