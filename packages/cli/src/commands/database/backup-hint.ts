/** How to back up and restore what nodes share. Each step is what to do, and a command where there is one. */
export interface BackupHint {
  readonly backup: readonly Step[]
  readonly restore: readonly Step[]
}

interface Step {
  readonly what: string
  readonly command?: string
}

/** `schema`: the one with the tables of Capstan. `hasBucket`: artifacts are not in the database. */
export function toBackupHint(options: { readonly schema: string; readonly hasBucket: boolean }): BackupHint {
  const { schema, hasBucket } = options
  // A dump of the schema "public" alone cannot be put back: every new database has one already.
  const isWhole = schema === 'public'
  const queue = isWhole ? 'dbos' : `${schema}_dbos`
  const which = isWhole ? '' : `--schema=${schema} --schema=${queue} `
  return {
    backup: [
      {
        what:
          `The tables of Capstan (schema ${schema}) and the queue of turns (schema ${queue}), both of one moment: in ` +
          `one dump${isWhole ? ' of the whole database' : ''}. Nodes may run meanwhile.`,
        command: `pg_dump --format=custom ${which}--file=capstan.dump "$DATABASE_URL"`,
      },
      ...(hasBucket ? [BUCKET_BACKUP] : []),
      KEY_BACKUP,
      { what: 'config.json and agents/ of each node, if there are any.' },
    ],
    restore: [
      {
        what: `Stop all nodes. Create an empty database${isWhole ? '' : ', with the extension for the search'}.`,
        command: `createdb --encoding=UTF8 --template=template0 capstan${isWhole ? '' : ' && psql capstan -c "CREATE EXTENSION pg_trgm"'}`,
      },
      {
        what: 'Put the dump back.',
        command: 'pg_restore --no-owner --exit-on-error --dbname="$DATABASE_URL" capstan.dump',
      },
      ...(hasBucket
        ? [{ what: 'Put the bucket back.', command: 'aws s3 sync <copy> s3://<bucket>/<prefix>' }]
        : []),
      {
        what: 'With the same key: check it, then start the nodes. They resume unfinished turns.',
        command: 'capstan db check',
      },
    ],
  }
}

const BUCKET_BACKUP: Step = {
  what:
    'After that, and not before, the bucket. Objects are added and deleted, and never changed: so it has what the dump ' +
    'names.',
  command: 'aws s3 sync s3://<bucket>/<prefix> <copy>',
}

const KEY_BACKUP: Step = {
  what:
    'Once, and in another place: the key (CAPSTAN_SECRET_KEY, or the file in CAPSTAN_KEY_FILE). Without it, secrets ' +
    'cannot be opened and approvals count for nothing. With it, whoever has the dump has the secrets.',
}

export function drawBackupHint({ backup, restore }: BackupHint): readonly string[] {
  const draw = (steps: readonly Step[]): string[] =>
    steps.flatMap(({ what, command }, index) => [
      `${index + 1}. ${what}`,
      ...(command === undefined ? [] : [`     ${command}`]),
    ])
  return [
    'To back up:',
    ...draw(backup),
    '',
    'To restore:',
    ...draw(restore),
    '',
    'For a restore to any second, archive the log of PostgreSQL (continuous archiving) instead of dumps.',
    'What was done after the backup is lost, also what was sent to others: a turn may do it again.',
  ]
}
