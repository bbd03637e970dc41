import type { Database, LockedTexts } from '@capstan/stores/postgres'

/** Something to do in a thread, stored until the node that runs the thread has done it. */
export interface Command {
  readonly threadId: string
  /** The same id in the same thread is the same command. */
  readonly id: string
  readonly userId: string
  readonly kind: CommandKind
  readonly body: unknown
}

export type CommandKind = 'message' | 'unattended' | 'continue' | 'stop' | 'remove' | 'wake'

/** A command that waits. */
export interface OpenCommand extends Command {
  /** When it was stored, in milliseconds. */
  readonly createdAt: number
  /** How often a node has begun it before. */
  readonly attempts: number
  /** False when no node has stored it like this: it must not be carried out, and has no body. */
  readonly isIntact: boolean
}

/** The result of a command, or why it was refused. */
export interface Answer {
  readonly json: string
  readonly isRefused: boolean
}

/** The commands of all threads, in the database. What they say is locked: only a node can say something for a person. */
export interface Commands {
  /** Stores it, unless it is stored. One that was refused is tried again. So is a wake-up: a thing may happen twice. */
  add(command: Command): Promise<void>
  /** Stores it again if a crash of the database has lost it. True when it had. */
  restore(command: Command): Promise<boolean>
  /** The answer as it was stored. Undefined: there is none yet. */
  answerOf(threadId: string, id: string): Promise<string | undefined>
  /** The next command of a thread, counted as begun. With an epoch: none when another node has claimed the thread since. */
  begin(threadId: string, epoch?: number): Promise<OpenCommand | undefined>
  hasOpen(threadId: string): Promise<boolean>
  /**
   * Stores the answer and removes what was asked: the thread has it now. With an epoch: nothing happens when another node
   * has claimed the thread since, because what this node did may count for nothing.
   */
  answer(threadId: string, id: string, answer: Answer, epoch?: number): Promise<void>
  /** Answers what a user has sent and nobody has answered. Answers with what that was. */
  answerAllOf(userId: string, answer: Answer): Promise<readonly Pick<Command, 'threadId' | 'id'>[]>
  /** Removes answers that nobody can be waiting for. */
  removeOld(): Promise<void>
}

export function createCommands(database: Database, texts: LockedTexts): Commands {
  return {
    async add(command) {
      await database.writeLazily(
        `${INSERT} DO UPDATE
        SET user_id = excluded.user_id, kind = excluded.kind, body = excluded.body,
          attempts = 0, answer = NULL, answered_at = NULL, is_refused = false
        WHERE commands.is_refused OR commands.kind = 'wake'`,
        toColumns(texts, command),
      )
    },
    async restore(command) {
      const rows = await database.writeLazily(`${INSERT} DO NOTHING RETURNING no`, toColumns(texts, command))
      return rows.length > 0
    },
    async answerOf(threadId, id) {
      const [row] = await database.read<{ answer: Buffer | null }>(
        'SELECT answer FROM commands WHERE thread = $1 AND id = $2',
        [threadId, id],
      )
      return row?.answer?.toString()
    },
    async begin(threadId, epoch) {
      const [row] = await database.writeLazily<CommandRow>(
        `UPDATE commands SET attempts = attempts + 1 WHERE no =
          (SELECT no FROM commands WHERE thread = $1 AND answered_at IS NULL ORDER BY no LIMIT 1)
          AND ${notMoved('$2')}
        RETURNING id, user_id, kind, body, created_at, attempts`,
        [threadId, epoch ?? null],
      )
      return row && toCommand(texts, threadId, row)
    },
    async hasOpen(threadId) {
      const rows = await database.read(
        'SELECT FROM commands WHERE thread = $1 AND answered_at IS NULL LIMIT 1',
        [threadId],
      )
      return rows.length > 0
    },
    async answer(threadId, id, answer, epoch) {
      await database.writeLazily(
        `UPDATE commands SET answer = $3, is_refused = $4, answered_at = now(), body = NULL
        WHERE thread = $1 AND id = $2 AND answered_at IS NULL AND ${notMoved('$5')}`,
        [threadId, id, Buffer.from(answer.json), answer.isRefused, epoch ?? null],
      )
    },
    answerAllOf: (userId, answer) =>
      database.write(
        `UPDATE commands SET answer = $2, is_refused = $3, answered_at = now(), body = NULL
        WHERE user_id = $1 AND answered_at IS NULL AND kind IN ('message', 'unattended', 'continue')
        RETURNING thread AS "threadId", id`,
        [userId, Buffer.from(answer.json), answer.isRefused],
      ),
    async removeOld() {
      await database.writeLazily(`DELETE FROM commands WHERE answered_at < now() - interval '1 hour'`)
    },
  }
}

const INSERT = `INSERT INTO commands (thread, id, user_id, kind, body) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (thread, id)`

const toColumns = (texts: LockedTexts, command: Command): readonly unknown[] => {
  const { threadId, id, userId, kind, body } = command
  return [threadId, id, userId, kind, texts.lock(aboutOf(command), JSON.stringify(body ?? null))]
}

/** True without an epoch, and for a thread that is gone. */
const notMoved = (epoch: string): string =>
  `NOT EXISTS (SELECT FROM threads WHERE threads.id = $1 AND threads.epoch <> ${epoch}::bigint)`

interface CommandRow {
  readonly id: string
  readonly user_id: string
  readonly kind: CommandKind
  readonly body: Buffer | null
  readonly created_at: Date
  readonly attempts: number
}

function toCommand(texts: LockedTexts, threadId: string, row: CommandRow): OpenCommand {
  const { id, user_id: userId, kind } = row
  const text = row.body && texts.unlock(aboutOf({ threadId, id, userId, kind }), row.body)
  return {
    threadId,
    id,
    userId,
    kind,
    body: text ? (JSON.parse(text) as unknown) : undefined,
    createdAt: row.created_at.getTime(),
    attempts: row.attempts - 1,
    isIntact: Boolean(text),
  }
}

const aboutOf = ({ threadId, id, userId, kind }: Omit<Command, 'body'>): readonly unknown[] => [
  'command',
  threadId,
  id,
  userId,
  kind,
]
