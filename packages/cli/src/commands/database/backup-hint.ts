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
export function toBackupHint({
  schema,
  hasBucket,
}: {
  readonly schema: string
  readonly hasBucket: boolean
}): BackupHint {
  const queue = schema === 'public' ? 'dbos' : `${schema}_dbos`
  return {
    backup: [
      {
        what: `The tables of Capstan (schema ${schema}) and the queue of turns (schema ${queue}), both of one moment. Nodes may run meanwhile.`,
        command: `pg_dump --format=custom --schema=${schema} --schema=${queue} --file=capstan.dump "$DATABASE_URL"`,
      },
      ...(hasBucket
        ? [
            {
              what: 'Then the bucket, not before: objects are added and deleted, and never changed, so that it has what the dump names.',
              command: 'aws s3 sync s3://<bucket>/<prefix> <copy>',
            },
          ]
        : []),
      {
        what:
          'Once, and in another place: the key (CAPSTAN_SECRET_KEY, or the file in CAPSTAN_KEY_FILE). Without it, secrets cannot be opened and ' +
          'approvals count for nothing. With it and the dump, everything can be read.',
      },
      { what: 'config.json and agents/ of each node, if you have them.' },
    ],
    restore: [
      {
        what: 'Stop all nodes. Make an empty database, with the extension for the search.',
        command:
          'createdb --encoding=UTF8 --template=template0 capstan && psql capstan -c "CREATE EXTENSION IF NOT EXISTS pg_trgm"',
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
