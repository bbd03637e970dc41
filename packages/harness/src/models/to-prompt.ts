import type {
  LanguageModelV3FilePart,
  LanguageModelV3ToolResultOutput,
  LanguageModelV4FilePart,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import type { Sight } from '../turn/message/media.ts'
import { canSee, describeUnseen } from '../turn/message/media.ts'
import type { MediaStore } from '../turn/message/media-store.ts'
import type {
  AssistantMessage,
  MediaPart,
  Message,
  ProviderExtras,
  ToolMessage,
  UserMessage,
} from '../turn/message/message.ts'
import { NOTICE_MARK, STEER_MARK } from '../text/neutralise.ts'
import type { ModelAbilities, ModelRequest } from './model-client.ts'

/** A prompt in version 4 of the provider interface. */
export type PromptV4 = PromptMessage<LanguageModelV4FilePart, ResultFile<LanguageModelV4ToolResultOutput>>[]
/** A prompt in version 3 of the provider interface. */
export type PromptV3 = PromptMessage<LanguageModelV3FilePart, ResultFile<LanguageModelV3ToolResultOutput>>[]

type ResultFile<Output> = Extract<
  Extract<Output, { type: 'content' }> extends { value: (infer Item)[] } ? Item : never,
  { type: 'file' | 'file-data' | 'image-data' }
>

type PromptMessage<File, Result> =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (LanguageModelV4TextPart | File)[] }
  | { role: 'assistant'; content: AssistantContent[] }
  | { role: 'tool'; content: ToolResultPart<Result>[] }

type AssistantContent = LanguageModelV4TextPart | LanguageModelV4ReasoningPart | LanguageModelV4ToolCallPart

interface ToolResultPart<Result> {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output:
    | { type: 'text'; value: string }
    | { type: 'error-text'; value: string }
    | { type: 'content'; value: (LanguageModelV4TextPart | Result)[] }
}

/** How one version of the provider interface writes bytes. */
interface MediaForm<File, Result> {
  readonly file: (part: MediaPart, bytes: Uint8Array) => File
  readonly result: (part: MediaPart, bytes: Uint8Array) => Result
}

/**
 * The conversation in the provider's form. The returned array for a list of messages is the same one each time, extended
 * by what was appended: each message is converted once, and earlier messages are sent again byte for byte.
 */
export const toPromptV4: (request: ModelRequest, seeing?: Seeing) => PromptV4 = createPromptWriter({
  file: (part, bytes): LanguageModelV4FilePart => ({
    type: 'file',
    data: { type: 'data', data: bytes },
    mediaType: part.mediaType,
    filename: part.name,
  }),
  result: (part, bytes): ResultFile<LanguageModelV4ToolResultOutput> => ({
    type: 'file',
    data: { type: 'data', data: bytes },
    mediaType: part.mediaType,
    filename: part.name,
  }),
})

/** Like `toPromptV4`, for the older version of the provider interface. */
export const toPromptV3: (request: ModelRequest, seeing?: Seeing) => PromptV3 = createPromptWriter({
  file: (part, bytes): LanguageModelV3FilePart => ({
    type: 'file',
    data: bytes,
    mediaType: part.mediaType,
    filename: part.name,
  }),
  result: (part, bytes): ResultFile<LanguageModelV3ToolResultOutput> => ({
    type: part.type === 'image' ? 'image-data' : 'file-data',
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
    mediaType: part.mediaType,
  }),
})

/** Which media the model can read, and where. Absent: all media everywhere. */
type Seeing = Sight & Pick<ModelAbilities, 'mediaInResults'>

interface Written<File, Result> {
  readonly system: string
  readonly seeing: Seeing | undefined
  readonly prompt: PromptMessage<File, Result>[]
  /** How many messages are in the prompt, and the last of them. */
  taken: number
  last: Message | undefined
}

function createPromptWriter<File, Result>(
  form: MediaForm<File, Result>,
): (request: ModelRequest, seeing?: Seeing) => PromptMessage<File, Result>[] {
  const prompts = new WeakMap<readonly Message[], Written<File, Result>>()

  return ({ system, messages, media }, seeing) => {
    let written = prompts.get(messages)
    if (
      !written ||
      written.system !== system ||
      messages[written.taken - 1] !== written.last ||
      !isSame(written.seeing, seeing)
    ) {
      const prompt: Written<File, Result>['prompt'] =
        system === '' ? [] : [{ role: 'system', content: system }]
      written = { system, seeing, prompt, taken: 0, last: undefined }
      prompts.set(messages, written)
    }
    while (written.taken < messages.length) {
      const batch = nextBatch(messages, written.taken)
      written.prompt.push(...convertBatch(batch, { media, seeing }))
      written.taken += batch.length
    }
    written.last = messages[written.taken - 1]
    return written.prompt
  }

  function convertBatch(batch: readonly Message[], view: View): readonly PromptMessage<File, Result>[] {
    const [first] = batch
    if (first?.role === 'tool') return toToolResults(batch.filter(isToolMessage), view)
    const message = first && toMessage(first, view)
    return message ? [message] : []
  }

  function toMessage(
    message: Exclude<Message, ToolMessage>,
    view: View,
  ): PromptMessage<File, Result> | undefined {
    if (message.role === 'notice') {
      return { role: 'user', content: [toText(`${NOTICE_MARK} ${message.text}`)] }
    }
    if (message.role === 'user') return { role: 'user', content: toUserContent(message, view) }
    const content = toAssistantContent(message)
    return content.length === 0 ? undefined : { role: 'assistant', content }
  }

  function toUserContent(message: UserMessage, view: View): (LanguageModelV4TextPart | File)[] {
    const content: (LanguageModelV4TextPart | File)[] = message.preface ? [toText(message.preface)] : []
    let heading = message.delivery === 'steer' ? `${STEER_MARK}\n` : ''
    for (const part of message.parts) {
      if (part.type !== 'text') {
        content.push(toMedia(part, view, form.file))
      } else if (!isBlank(part.text)) {
        content.push(toText(heading + part.text, part.extras))
        heading = ''
      }
    }
    // Providers refuse an empty message or text.
    return content.length === 0 ? [toText(`${heading}(empty message)`)] : content
  }

  function toToolResults(batch: readonly ToolMessage[], view: View): readonly PromptMessage<File, Result>[] {
    if (batch[0]?.inText) {
      const text = toText(`Tool results\n${batch.map(toResultElement).join('\n')}`)
      return [{ role: 'user', content: [text, ...toMediaContent(batch, view)] }]
    }
    const results = { role: 'tool' as const, content: batch.map((message) => toResult(message, view)) }
    const media = toMediaContent(batch, view, (part) => !fitsInResult(part, view))
    if (media.length === 0) return [results]
    return [results, { role: 'user', content: [toText('[Images and files of these results]'), ...media] }]
  }

  function toMediaContent(
    batch: readonly ToolMessage[],
    view: View,
    isWanted: (part: MediaPart) => boolean = () => true,
  ): (LanguageModelV4TextPart | File)[] {
    return batch.flatMap(({ media = [] }) =>
      media.filter(isWanted).map((part) => toMedia(part, view, form.file)),
    )
  }

  function toResult(message: ToolMessage, view: View): ToolResultPart<Result> {
    const { callId, tool, ok, text } = message
    const media = message.media?.filter((part) => fitsInResult(part, view))
    const output: ToolResultPart<Result>['output'] = media?.length
      ? { type: 'content', value: [toText(text), ...media.map((part) => toMedia(part, view, form.result))] }
      : { type: ok ? 'text' : 'error-text', value: text }
    return { type: 'tool-result', toolCallId: callId, toolName: tool, output }
  }
}

/** What is needed to write a message. */
interface View {
  readonly media: MediaStore
  readonly seeing: Seeing | undefined
}

/** Recordings follow in a message of their own: no provider takes them inside of a result. */
const fitsInResult = ({ mediaType }: MediaPart, { seeing }: View): boolean =>
  (!seeing || seeing.mediaInResults === true) && !mediaType.startsWith('audio/')

/** The same conversation may be sent to models with different abilities. */
function isSame(a: Seeing | undefined, b: Seeing | undefined): boolean {
  if (a === b) return true
  if (!a || !b || a.images !== b.images || a.mediaInResults !== b.mediaInResults) return false
  return a.files.length === b.files.length && a.files.every((type) => b.files.includes(type))
}

/**
 * One message, or all tool messages in a row: the results of one reply belong in one message, which some
 * providers insist on.
 */
function nextBatch(messages: readonly Message[], start: number): readonly Message[] {
  const first = messages[start]
  let end = start + 1
  if (first?.role === 'tool') {
    for (
      let next = messages[end];
      next?.role === 'tool' && next.inText === first.inText;
      next = messages[end]
    )
      end++
  }
  return messages.slice(start, end)
}

function toAssistantContent({ parts, raw }: AssistantMessage): AssistantContent[] {
  const content: AssistantContent[] = []
  for (const part of parts) {
    if (part.type === 'reasoning') {
      if (part.extras || !isBlank(part.text)) {
        content.push({ type: 'reasoning', text: part.text, providerOptions: part.extras })
      }
    } else if (raw !== undefined) {
      continue
    } else if (part.type === 'text') {
      if (part.extras || !isBlank(part.text)) content.push(toText(part.text, part.extras))
    } else {
      const { id, tool, malformed, extras } = part.call
      const input = malformed ? {} : part.call.arguments
      content.push({ type: 'tool-call', toolCallId: id, toolName: tool, input, providerOptions: extras })
    }
  }
  if (raw !== undefined && !isBlank(raw)) content.push(toText(raw))
  return content
}

function toMedia<Form>(
  part: MediaPart,
  { media, seeing }: View,
  write: (part: MediaPart, bytes: Uint8Array) => Form,
): Form | LanguageModelV4TextPart {
  if (seeing && !canSee(seeing, part.mediaType)) return toText(describeUnseen(part.mediaType, part.name))
  const bytes = media.get(part.ref)
  if (bytes) return write(part, bytes)
  return toText(`[The attachment ${part.name ?? `of type ${part.mediaType}`} is no longer available]`)
}

function toResultElement({ tool, ok, text }: ToolMessage): string {
  // A result must not close its own element and pose as the user.
  const inside = text.replaceAll(/<(?=\/tool_result)/gi, '&lt;')
  const name = tool.replaceAll(/[<>"&]/g, '_')
  return `<tool_result name="${name}" status="${ok ? 'ok' : 'error'}">\n${inside}\n</tool_result>`
}

function toText(text: string, extras?: ProviderExtras): LanguageModelV4TextPart {
  return extras ? { type: 'text', text, providerOptions: extras } : { type: 'text', text }
}

const isBlank = (text: string): boolean => text.trim() === ''
const isToolMessage = (message: Message): message is ToolMessage => message.role === 'tool'
