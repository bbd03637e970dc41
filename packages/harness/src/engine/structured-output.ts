import type { TurnOutcome } from '@capstan/protocol'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe } from '../failures/classify.ts'
import type { ModelClient } from '../models/model-client.ts'
import type { ResponseParser } from '../seams/seams.ts'
import { TOOL_LIMITS } from '../tool-path/tool-path.ts'
import { checkArguments } from '../tool-path/check-arguments.ts'
import { cutText } from '../text/cut-text.ts'
import { systemClock } from '../turn/clock.ts'
import { messageOf } from '../turn/error-message.ts'
import { ConfigurationError } from '../turn/errors.ts'
import type { JsonObject, JsonValue } from '../turn/json.ts'
import type { OutputSchema } from '../turn/output-schema.ts'
import type { MaybePromise } from '../turn/maybe-promise.ts'
import type { RunContext } from '../turn/run-context.ts'
import { isThenable, settleInTime } from '../turn/settle-in-time.ts'
import type { Surface } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import type { JsonSchema, Tool } from '../turn/tool/tool.ts'
import { defineTool, isStandardSchema, toJsonSchema } from '../turn/tool/tool.ts'
import { STOPPED } from './leave-early.ts'
import type { Ending, Turn } from './turn.ts'
import { addNotice } from './turn.ts'

/** The tool with which a model without structured output returns its result. */
export const RESULT_TOOL = 'submit_final_result'

/** How often a result that does not fit is sent back. */
const REPAIRS = 1

/** The schema of a result, prepared once per schema. */
export interface OutputFormat {
  readonly schema: OutputSchema
  /** The schema the model sees: an object, with any other type wrapped in `result`. */
  readonly written: JsonSchema
  readonly isWrapped: boolean
  /** The result tool, for providers without structured output. */
  readonly tool: Tool
}

/** How one turn gets its structured result. */
export interface TurnOutput {
  readonly format: OutputFormat
  /** `provider`: its own structured output makes the last reply fit. `tool`: the model calls the result tool. */
  readonly by: 'provider' | 'tool'
}

const formats = new WeakMap<OutputSchema, OutputFormat>()

/** Returns the same object for the same schema. Throws `ConfigurationError` for a schema without a JSON Schema form. */
function toOutputFormat(schema: OutputSchema): OutputFormat {
  let format = formats.get(schema)
  if (!format) {
    format = createFormat(schema)
    formats.set(schema, format)
  }
  return format
}

/** In a text dialect the result tool is used: a reply with calls is not JSON there. */
export function toTurnOutput(schema: OutputSchema, model: ModelClient, parser: ResponseParser): TurnOutput {
  const byProvider = model.abilities.structuredOutput === true && parser.dialect === 'native'
  return { format: toOutputFormat(schema), by: byProvider ? 'provider' : 'tool' }
}

function createFormat(schema: OutputSchema): OutputFormat {
  const plain = describeSchema(schema)
  const isWrapped = plain['type'] !== 'object' && plain['properties'] === undefined
  const written = isWrapped ? wrap(plain) : plain
  const format: Omit<OutputFormat, 'tool'> = { schema, written, isWrapped }
  const tool = defineTool({
    name: RESULT_TOOL,
    description: 'Hands over the final result and ends the turn. Call it once, when the work is done.',
    input: written,
    effect: 'read',
    returns: [],
    destinations: [],
    alone: true,
    exact: true,
    label: () => ({ label: 'Hand over the result' }),
    async run(args, context) {
      const reading = readValue(schema, unwrap(format, args))
      // The deadline of the call aborts its signal.
      const read =
        reading instanceof Promise
          ? await inTime(reading, { signal: context.signal, clock: context.run.clock }, Infinity)
          : reading
      if ('value' in read) return succeed('The result was taken.')
      if ('unread' in read) return fail(`${LATE}.`, { timedOut: true })
      return fail(`The result does not fit: ${read.problem}.`, { errorCode: 'invalid_arguments' })
    },
  })
  return { ...format, tool }
}

function describeSchema(schema: OutputSchema): JsonSchema {
  try {
    return toJsonSchema(schema)
  } catch (error) {
    throw new ConfigurationError('output', error instanceof Error ? error.message : 'cannot be described')
  }
}

/** References start at the root, so definitions stay there. */
function wrap({ $defs, definitions, ...result }: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { result },
    required: ['result'],
    additionalProperties: false,
    ...($defs === undefined ? undefined : { $defs }),
    ...(definitions === undefined ? undefined : { definitions }),
  }
}

const unwrap = ({ isWrapped }: Pick<OutputFormat, 'isWrapped'>, written: JsonObject): JsonValue =>
  isWrapped ? (written['result'] ?? null) : written

type ReadValue = { readonly value: unknown } | { readonly problem: string }
type Unread = { readonly unread: 'stopped' | 'late' }

const LATE = 'the schema of the result did not answer in time'

/** A value that fits its JSON Schema, as a Standard Schema reads it. Never throws; a promise only where that waits. */
function readValue(schema: OutputSchema, value: unknown): MaybePromise<ReadValue> {
  if (!isStandardSchema(schema)) return { value }
  try {
    const checked = schema['~standard'].validate(value)
    if (!isThenable(checked)) return toReadValue(checked)
    return Promise.resolve(checked).then(toReadValue).catch(toUncheckable)
  } catch (error) {
    return toUncheckable(error)
  }
}

function toReadValue(checked: StandardSchemaV1.Result<unknown>): ReadValue {
  if (!checked.issues) return { value: checked.value }
  return { problem: checked.issues.slice(0, 5).map(toProblem).join('; ') }
}

const toUncheckable = (error: unknown): ReadValue => ({
  problem: messageOf(error) ?? 'its schema could not check it',
})

/** A schema that never answers must not hold the turn. */
async function inTime(
  reading: Promise<ReadValue>,
  run: Pick<RunContext, 'signal' | 'clock'>,
  timeoutMs: number,
): Promise<ReadValue | Unread> {
  const settled = await settleInTime(reading, run, timeoutMs)
  if (settled.type === 'answered') return settled.value
  return settled.type === 'failed' ? toUncheckable(settled.error) : { unread: settled.type }
}

function toProblem({
  path = [],
  message,
}: {
  path?: readonly unknown[] | undefined
  message: string
}): string {
  const field = path.map((step) => String(isKeyed(step) ? step.key : step)).join('.')
  return field === '' ? message : `${field}: ${message}`
}

const isKeyed = (step: unknown): step is { readonly key: PropertyKey } =>
  typeof step === 'object' && step !== null && 'key' in step

/** Adds a notice about the result tool when the system prompt does not mention it. */
export async function announceResultTool(turn: Turn): Promise<void> {
  const { output, parser } = turn
  if (output?.by !== 'tool' || parser.dialect === 'native') return
  if (turn.conversation.system.includes(RESULT_TOOL)) return
  await addNotice(turn, { text: parser.instructions([output.format.tool]) }, 1)
}

/**
 * The end of a turn whose reply called the result tool; undefined while the turn continues. It reads the calls, so that a
 * turn that resumes after a restart finds a result that was accepted before.
 */
export async function readResultCalls(
  turn: Turn,
  { format }: TurnOutput,
  calls: readonly ToolCall[],
  surface: Surface,
): Promise<Ending | undefined> {
  if (!turn.inbox.isEmpty || turn.run.signal.aborted) return undefined
  for (const call of calls) {
    const target = surface.resolve(call)
    if (target.name !== RESULT_TOOL) continue
    const result = turn.state.results.findLast(({ callId }) => callId === call.id)
    if (result?.ok) {
      const checked = await checkArguments(format.tool, target.arguments)
      if (!('value' in checked)) return misfits(cutText(checked.refusal.text, 500))
      const output = unwrap(format, checked.value as JsonObject)
      return { type: 'done', text: JSON.stringify(output), output }
    }
    if (result?.failure?.class === 'timeout') return uncheckedInTime()
    if (result?.failure?.class === 'invalid_input' && ++turn.state.misfits > REPAIRS)
      return misfits(cutText(result.text, 500))
  }
  return undefined
}

/** The end of a turn whose last reply is text; undefined when the model must repair it. */
export async function readResultText(
  turn: Turn,
  { format, by }: TurnOutput,
  text: string,
): Promise<Ending | undefined> {
  const read = await parseResult(turn, format, text)
  if ('value' in read) return { type: 'done', text, output: read.value }
  if ('unread' in read) return read.unread === 'stopped' ? STOPPED : uncheckedInTime()
  if (++turn.state.misfits > REPAIRS) return misfits(read.problem)
  const how =
    by === 'tool'
      ? `Hand over the result by calling ${RESULT_TOOL}.`
      : `Answer with one JSON document of this form and nothing else: ${JSON.stringify(format.written)}`
  await addNotice(
    turn,
    { text: `Your answer is not the result that was asked for: ${read.problem}. ${how}` },
    turn.state.iterations,
  )
  return undefined
}

type ParsedResult = { readonly value: JsonValue } | { readonly problem: string } | Unread

async function parseResult({ run, limits }: Turn, format: OutputFormat, text: string): Promise<ParsedResult> {
  const parsed = parseJson(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return { problem: text.trim() === '' ? 'it is empty' : 'it is not a JSON object' }
  const checked = await checkArguments(format.tool, parsed as JsonObject)
  if (!('value' in checked)) return { problem: cutText(checked.refusal.text, 500) }
  const value = unwrap(format, checked.value as JsonObject)
  const reading = readValue(format.schema, value)
  const read = reading instanceof Promise ? await inTime(reading, run, limits.tools.timeoutMs) : reading
  return 'value' in read ? { value } : read
}

/** The whole text, or the one fenced block it consists of. */
function parseJson(text: string): unknown {
  const whole = /^```(?:json)?[ \t]{0,20}\r?\n([^]*)\n```$/i.exec(text.trim())?.[1] ?? text
  try {
    return JSON.parse(whole)
  } catch {
    return undefined
  }
}

function misfits(problem: string): Ending {
  const failure = describe('invalid_input', {
    rule: 'output-schema',
    fact: problem,
    words: {
      cause: 'The AI model did not give its result in the form that was asked for.',
      next: 'Ask again, or ask for a simpler form.',
    },
  })
  return { type: 'failed', text: `${failure.cause} ${failure.next}`, failure }
}

function uncheckedInTime(): Ending {
  const failure = describe('timeout', {
    rule: 'output-schema',
    fact: LATE,
    words: {
      cause: 'The result could not be checked: its schema did not answer in time.',
      next: 'Ask again, or use a schema that answers at once.',
    },
  })
  return { type: 'failed', text: `${failure.cause} ${failure.next}`, failure }
}

/** The run is over: nothing can be stopped any more. */
const AFTER = { signal: new AbortController().signal, clock: systemClock }

/**
 * The outcome for the caller: the stored result is parsed by the caller's schema. A result that does not fit, or a
 * missing one, gives a failed outcome.
 */
export async function readOutcome(outcome: TurnOutcome, schema: OutputSchema): Promise<TurnOutcome> {
  if (outcome.type !== 'done') return outcome
  const { usage, iterations, output } = outcome
  const format = toOutputFormat(schema)
  const written = format.isWrapped ? { result: output as JsonValue } : (output as JsonObject | undefined)
  const checked = output === undefined ? undefined : await checkArguments(format.tool, written!)
  if (!checked || !('value' in checked))
    return { ...misfits('the stored result does not fit'), usage, iterations }
  const reading = readValue(schema, unwrap(format, checked.value as JsonObject))
  const read = reading instanceof Promise ? await inTime(reading, AFTER, TOOL_LIMITS.timeoutMs) : reading
  if ('unread' in read) return { ...uncheckedInTime(), usage, iterations }
  if ('problem' in read) return { ...misfits(read.problem), usage, iterations }
  return { ...outcome, output: read.value }
}
