import { drawCheck } from '../../render/draw-check.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'
import { styleOf } from '../../terminal/style.ts'
import { drawBackupHint, toBackupHint } from './backup-hint.ts'
import { databaseUrlOf, KEY_HELP, keyFileOf } from './database-url.ts'

const HELP = `Usage: capstan db check [options]          check a PostgreSQL database that nodes share
       capstan db backup-hint [options]    print how to back it up and restore it

The check connects, and looks at the version and settings of PostgreSQL, the tables, the key,
the audit log, the number of connections and the clock. It changes nothing.

  --url <address>       the database; default: DATABASE_URL
${KEY_HELP}
  --quick               check: do not read the audit log from end to end
  --schema <name>       backup-hint: the schema of the tables; default public
  --json                check: one line of JSON per part; backup-hint: one line

Exit codes: 0 no check failed, 1 a check failed, 2 bad usage`

const OPTIONS = {
  ...STORE_OPTIONS,
  url: { type: 'string' },
  'key-file': { type: 'string' },
  quick: { type: 'boolean' },
  schema: { type: 'string' },
} as const

const NAME_WIDTH = 11

export const db: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'db',
      options: OPTIONS,
      allowPositionals: true,
    })
    const [action, ...words] = positionals
    if ((action !== 'check' && action !== 'backup-hint') || words.length > 0)
      throw new UsageError('Say "check" or "backup-hint". See "capstan db --help".')
    const { env } = shell
    if (action === 'backup-hint') {
      const { schema = 'public' } = values
      if (!/^[a-z_]\w{0,62}$/.test(schema))
        throw new UsageError('--schema is the name of a schema, such as public.')
      const hint = toBackupHint({ schema, hasBucket: Boolean(env['CAPSTAN_ARTIFACTS']) })
      if (values.json) writeJson(shell, hint)
      else writeLines(shell, drawBackupHint(hint))
      return EXIT.done
    }
    const keyFile = keyFileOf(values['key-file'], env)
    const { checkDatabase } = await import('@capstan/stores/postgres')
    const checks = await checkDatabase({
      url: databaseUrlOf(values.url, 'url', env),
      env,
      isQuick: values.quick ?? false,
      ...(keyFile !== undefined && { keyFile }),
    })
    const style = styleOf(shell.stdout, env)
    if (values.json) writeJson(shell, ...checks)
    else
      writeLines(
        shell,
        checks.flatMap((check) => drawCheck(check, style, NAME_WIDTH)),
      )
    return checks.some(({ state }) => state === 'failed') ? EXIT.failed : EXIT.done
  },
}
