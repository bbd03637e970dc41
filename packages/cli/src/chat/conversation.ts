import type { Delivery, Session } from '@capstan/harness'
import type { AnswerReceipt, TurnEvent, TurnOutcome } from '@capstan/protocol'
import { drawArguments } from '../render/draw-approval.ts'
import { wrap } from '../terminal/display-width.ts'
import { marksOf } from '../render/draw-timeline.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import type { Screen } from '../terminal/live-screen.ts'
import type { Environment } from '../terminal/style.ts'
import { paint, styleOf } from '../terminal/style.ts'
import type { TurnView } from '../render/turn-view.ts'
import { createTurnView } from '../render/turn-view.ts'
import type { PastTurn } from '../store-access/past-turn.ts'
import type { Answer, OpenChatThread, ChatThread } from './chat-thread.ts'

const COMMANDS = `  /stop      end the turn that is running
  /continue  go on after a turn that paused at its limit
  /help      show this
  /quit      leave`.split('\n')

/** What counts as an answer to an approval; anything else is a message of its own. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  ...Object.fromEntries(
    ['yes', 'y', 'ok', 'okay', 'approve', 'approved', 'allow'].map((word) => [word, 'allow-once']),
  ),
  ...Object.fromEntries(['no', 'n', 'deny', 'denied'].map((word) => [word, 'deny'])),
  always: 'allow-always',
}

type Asked = Extract<TurnEvent, { readonly type: 'approval-request' }>

/** A chat without its keyboard: takes lines, shows turns. */
export class Conversation {
  readonly #talk: ChatThread
  readonly #screen: Screen
  readonly #env: Environment
  readonly #footer: () => readonly string[]
  /** Sent while a turn is running, and not yet heard. */
  readonly #unheard = new Set<{ readonly words: string }>()
  #session: Session | undefined
  #view: TurnView | undefined
  #turn: Promise<void> | undefined
  /** The approval the turn waits for. */
  #asked: Asked | undefined
  /** Settles when the turn asks the next one. */
  #asking = Promise.withResolvers<void>()
  #ended = Promise.withResolvers<TurnOutcome>()
  #resumeToken: string | undefined
  /** The user wants to leave. */
  isOver = false

  constructor(
    open: OpenChatThread,
    where: {
      readonly screen: Screen
      readonly env: Environment
      readonly footer?: () => readonly string[]
      /** Of a turn that had paused at its limit. */
      readonly resumeToken?: string | undefined
    },
  ) {
    this.#talk = open((event) => this.#hear(event))
    this.#screen = where.screen
    this.#env = where.env
    this.#footer = where.footer ?? (() => [])
    this.#resumeToken = where.resumeToken
  }

  get isRunning(): boolean {
    return this.#view !== undefined
  }

  /** Whether the turn waits for a yes or no. */
  get isAsking(): boolean {
    return this.#asked !== undefined
  }

  refresh(): void {
    this.#view?.refresh()
  }

  stop(): void {
    this.#session?.stop()
  }

  /** Lets go. A turn that still waits is left to wait, if it is kept. */
  async close(): Promise<void> {
    this.#closeView()
    await this.#talk.close()
  }

  /** Nobody will answer. True: the turn goes on waiting; false: it has ended. */
  async letWait(): Promise<boolean> {
    if (!this.#talk.isStored) {
      this.stop()
      await this.#turn
      return false
    }
    this.#closeView()
    return true
  }

  /** Settles when everything this line has set in motion is done, or waits for an answer. */
  async take(line: string): Promise<void> {
    const words = line.trim()
    if (words === '') return
    if (words.startsWith('/')) return this.#obey(words)
    if (this.#asked) return this.#reply(this.#asked, words)
    if (!this.isRunning) return this.#runTurn(async () => (await this.#open()).send(words))
    const delivery = await this.#steer(words)
    if (delivery.delivered || this.isOver) return
    // It came too late for that turn, so it opens the next one.
    await this.#session?.idle()
    await this.take(words)
  }

  /** Shows a turn that somebody else takes up again, or that waits. Settles as `take` does. */
  goOn({ events }: PastTurn): Promise<void> {
    this.#ended = Promise.withResolvers()
    return this.#runTurn(async () => {
      await this.#open()
      for (const event of events) this.#hear(event)
      return this.#ended.promise
    })
  }

  async #open(): Promise<Session> {
    this.#session ??= await this.#talk.open()
    return this.#session
  }

  #hear(event: TurnEvent): void {
    if (event.type === 'approval-answer' && event.approvalId === this.#asked?.approvalId)
      this.#asked = undefined
    this.#view?.onEvent(event)
    if (event.type === 'approval-request') {
      this.#asked = event
      this.#addLines(this.#drawQuestion(event))
      this.#asking.resolve()
    }
    if (event.type === 'turn-end') {
      // Only a turn of the conversation itself ends what is shown; the others are inside it.
      if (this.#view?.isOver) {
        this.#asked = undefined
        this.#ended.resolve(event.outcome)
      }
    }
  }

  async #reply({ approvalId }: Asked, words: string): Promise<void> {
    const answer = toAnswer(words)
    if (!answer) {
      // Who writes something else has moved on: the turn ends without it.
      this.stop()
      await this.#turn
      return this.take(words)
    }
    this.#asked = undefined
    this.#asking = Promise.withResolvers()
    const receipt = await this.#talk.answer(approvalId, answer)
    if (receipt !== 'accepted') this.#addLines([`  ${TOO_LATE[receipt]}`])
    await this.#settled()
  }

  async #steer(words: string): Promise<Delivery> {
    const message = { words }
    this.#unheard.add(message)
    try {
      return await (await this.#open()).steer(words)
    } finally {
      this.#unheard.delete(message)
    }
  }

  async #obey(command: string): Promise<void> {
    switch (command) {
      case '/stop':
        return this.isRunning ? this.stop() : this.#addLines(['  Nothing is running.'])
      case '/continue':
        return this.#continue()
      case '/help':
        return this.#addLines(COMMANDS)
      case '/quit':
      case '/exit':
        return this.#quit()
      default:
        return this.#addLines([
          `  There is no command "${toPrintableLine(command).split(' ')[0]}".`,
          ...COMMANDS,
        ])
    }
  }

  async #quit(): Promise<void> {
    this.isOver = true
    if (this.#asked && this.#talk.isStored) return
    this.stop()
    await this.#turn
  }

  async #continue(): Promise<void> {
    const token = this.#resumeToken
    if (token === undefined || this.isRunning) return this.#addLines(['  There is nothing to continue.'])
    await this.#runTurn(async () => (await this.#open()).continue(token))
  }

  #runTurn(run: () => Promise<TurnOutcome>): Promise<void> {
    this.#asking = Promise.withResolvers()
    this.#turn = this.#watchTurn(run)
    return this.#settled()
  }

  #settled(): Promise<void> {
    return Promise.race([this.#turn, this.#asking.promise])
  }

  async #watchTurn(run: () => Promise<TurnOutcome>): Promise<void> {
    this.#view = createTurnView({
      text: this.#screen,
      rows: this.#screen,
      env: this.#env,
      footer: () => [...this.#drawUnheard(), ...this.#footer()],
    })
    this.#screen.draw([''])
    try {
      const outcome = await run()
      this.#resumeToken = outcome.type === 'capped' ? outcome.resumeToken : undefined
    } finally {
      this.#closeView()
    }
  }

  #closeView(): void {
    const view = this.#view
    this.#view = undefined
    this.#asked = undefined
    if (!view) return
    view.close()
    this.#screen.draw([''])
  }

  #drawQuestion({ label, tool, arguments: args }: Asked): readonly string[] {
    const style = styleOf(this.#screen.output, this.#env)
    const name = toPrintableLine(label === tool ? tool : `${label} (${tool})`)
    return [
      ...wrap(`${name} needs your yes. It would run with exactly this:`, style.width - 4).map((line, index) =>
        index === 0 ? `  ${paint(style, 'yellow', marksOf(style).ask)} ${line}` : `    ${line}`,
      ),
      ...drawArguments(args, style),
      `    ${paint(style, 'bold', 'Type yes, no or always.')}`,
    ]
  }

  #drawUnheard(): readonly string[] {
    const style = styleOf(this.#screen.output, this.#env)
    return [...this.#unheard].flatMap(({ words }) =>
      wrap(`At the next step: ${toPrintableLine(words)}`, style.width).map((line) =>
        paint(style, 'dim', line),
      ),
    )
  }

  #addLines(lines: readonly string[]): void {
    if (this.#view) this.#view.addLines(lines)
    else this.#screen.draw(['', ...lines, ''])
  }
}

const TOO_LATE: Readonly<Record<Exclude<AnswerReceipt, 'accepted'>, string>> = {
  'already-answered': 'It was answered already; the first answer counts.',
  expired: 'The time to answer was over, so it counts as a no.',
  unknown: 'Nobody waits for that answer any more.',
}

function toAnswer(words: string): Answer | undefined {
  const word = words.toLowerCase().replace(/[.!]+$/, '')
  return Object.hasOwn(ANSWERS, word) ? ANSWERS[word] : undefined
}
