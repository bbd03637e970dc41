import type { TurnEvent, TurnOutcome } from '@capstan/protocol'
import { drawArguments } from '../render/draw-approval.ts'
import type { TurnView } from '../render/turn-view.ts'
import { createTurnView } from '../render/turn-view.ts'
import type { PastTurn } from '../store-access/past-turn.ts'
import { wrap } from '../terminal/display-width.ts'
import type { Screen } from '../terminal/live-screen.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import type { Environment } from '../terminal/style.ts'
import { paint, styleOf } from '../terminal/style.ts'
import type { ApprovalRequest } from './approval-prompt.ts'
import {
  ANSWER_PROBLEMS,
  CANNOT_REVEAL,
  drawApprovalPrompt,
  HIDDEN_UNSEEN,
  NOT_HERE,
  parseAnswer,
} from './approval-prompt.ts'
import type { Answer, ChatSession, ChatThread, OpenChatThread } from './chat-thread.ts'
import { RefusedError } from './chat-thread.ts'

const COMMANDS = `  /stop      stop the turn that is running
  /continue  continue a turn that paused at its limit
  /help      show this list
  /quit      leave the chat`.split('\n')

/** Where a conversation is shown, and how it starts. */
export interface ConversationOptions {
  readonly screen: Screen
  readonly env: Environment
  /** Lines kept below everything else. */
  readonly footer?: () => readonly string[]
  /** The token of a turn that paused at its limit, for `/continue`. */
  readonly resumeToken?: string | undefined
  /** A turn began that no line of this chat started. `work` settles when it has ended or waits for an approval. */
  readonly onTurn?: (work: Promise<void>) => void
  /** Lines were added while no turn is on the screen. */
  readonly onLines?: () => void
  /** Takes the place of the screen for sentences of the chat itself. */
  readonly onSentence?: (sentence: string) => void
}

/** A chat without its keyboard: lines in, turns on the screen. */
export class Conversation {
  readonly #thread: ChatThread
  readonly #screen: Screen
  readonly #env: Environment
  readonly #footer: () => readonly string[]
  /** Messages sent to the running turn that the model has not received yet. */
  readonly #pendingSteers = new Set<{ readonly text: string }>()
  readonly #options: ConversationOptions
  #session: ChatSession | undefined
  #view: TurnView | undefined
  #turn: Promise<void> | undefined
  #pendingApproval: ApprovalRequest | undefined
  /** The approval whose hidden values were revealed, or allowed unseen once. */
  #hiddenConfirmed: string | undefined
  /** Settles at the next approval request. */
  #approvalRequested = Promise.withResolvers<void>()
  #turnEnded = Promise.withResolvers<TurnOutcome>()
  #resumeToken: string | undefined
  /** Set when the user wants to leave. */
  isOver = false

  constructor(open: OpenChatThread, options: ConversationOptions) {
    this.#thread = open(
      (event) => this.#onEvent(event),
      (sentence) => this.#say(sentence),
    )
    this.#options = options
    this.#screen = options.screen
    this.#env = options.env
    this.#footer = options.footer ?? (() => [])
    this.#resumeToken = options.resumeToken
  }

  /** Whether a turn is on the screen, running or waiting. */
  get isRunning(): boolean {
    return this.#view !== undefined
  }

  /** Whether the turn waits for a yes or no. */
  get isWaitingForApproval(): boolean {
    return this.#pendingApproval !== undefined
  }

  /** Draws again what may have changed without an event. */
  refresh(): void {
    this.#view?.refresh()
  }

  /** Stops the running turn. */
  stop(): void {
    this.#session?.stop()
  }

  /** Closes the view and the thread. A stored turn that waits for an approval stays waiting. */
  async close(): Promise<void> {
    this.#closeView()
    await this.#thread.close()
  }

  /** Leaves a turn without its answer. True: it is stored and stays waiting; false: it was stopped. */
  async leaveUnanswered(): Promise<boolean> {
    if (!this.#thread.isStored) {
      this.stop()
      await this.#turn
      return false
    }
    this.#closeView()
    return true
  }

  /** Handles one line of the user. Settles when the work it started is done or waits for an approval. */
  async handleLine(line: string): Promise<void> {
    const text = line.trim()
    if (text === '') return
    if (text.startsWith('/')) return this.#runCommand(text)
    if (this.#pendingApproval) return this.#answerApproval(this.#pendingApproval, text)
    if (!this.isRunning) return this.#runTurn(async () => (await this.#open()).send(text))
    if ((await this.#steer(text)) || this.isOver) return
    // The running turn ended before it received the message, so the message starts the next turn.
    await this.#session?.idle()
    await this.handleLine(text)
  }

  /** Shows an unfinished turn from its past events on. Settles as `handleLine` does. */
  followTurn({ events }: PastTurn = { events: [] }): Promise<void> {
    this.#turnEnded = Promise.withResolvers()
    return this.#runTurn(async () => {
      await this.#open()
      for (const event of events) this.#onEvent(event)
      const { lost } = this.#thread
      return lost ? Promise.race([this.#turnEnded.promise, lost]) : this.#turnEnded.promise
    })
  }

  async #open(): Promise<ChatSession> {
    this.#session ??= await this.#thread.open()
    return this.#session
  }

  #onEvent(event: TurnEvent): void {
    // Another program has started it, or the server with a message that the last turn did not receive.
    if (!this.#view && event.type === 'turn-start' && event.depth === 0 && this.#session)
      this.#options.onTurn?.(this.followTurn())
    if (event.type === 'approval-answer' && event.approvalId === this.#pendingApproval?.approvalId)
      this.#pendingApproval = undefined
    this.#view?.onEvent(event)
    if (event.type === 'approval-request') {
      this.#pendingApproval = event
      this.#addLines(drawApprovalPrompt(event, styleOf(this.#screen.output, this.#env)))
      this.#approvalRequested.resolve()
    }
    // Sub-agents end their own turns; the view is over only at the end of the conversation's turn.
    if (event.type === 'turn-end' && this.#view?.isOver) {
      this.#pendingApproval = undefined
      this.#turnEnded.resolve(event.outcome)
    }
  }

  async #answerApproval(asked: ApprovalRequest, text: string): Promise<void> {
    const { approvalId } = asked
    const answer = parseAnswer(text, asked)
    if (answer === 'reveal') return this.#reveal(approvalId)
    if (answer === 'not-here') return this.#say(NOT_HERE)
    if (answer && this.#mustConfirmHidden(asked, answer.decision)) return this.#say(HIDDEN_UNSEEN)
    if (!answer) {
      // Any other text is a new message: the waiting turn is stopped, and the text starts the next one.
      this.stop()
      await this.#turn
      return this.handleLine(text)
    }
    this.#pendingApproval = undefined
    this.#approvalRequested = Promise.withResolvers()
    const receipt = await this.#thread.answer(approvalId, answer.decision, answer.constraints)
    if (receipt !== 'accepted') this.#say(ANSWER_PROBLEMS[receipt])
    await this.#settled()
  }

  /** The first yes to a call with hidden values that were not revealed does not count; the second does. */
  #mustConfirmHidden({ approvalId, hidden }: ApprovalRequest, decision: Answer): boolean {
    if (!hidden || decision === 'deny' || this.#hiddenConfirmed === approvalId) return false
    this.#hiddenConfirmed = approvalId
    return true
  }

  async #reveal(approvalId: string): Promise<void> {
    const exact = await this.#thread.reveal(approvalId)
    if (!exact) return this.#say(CANNOT_REVEAL)
    this.#hiddenConfirmed = approvalId
    this.#addLines(drawArguments(exact.arguments, styleOf(this.#screen.output, this.#env)))
  }

  /** Whether the message needs no further care. */
  async #steer(text: string): Promise<boolean> {
    const message = { text }
    this.#pendingSteers.add(message)
    try {
      return await (await this.#open()).steer(text)
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      this.#say(error.message)
      return true
    } finally {
      this.#pendingSteers.delete(message)
    }
  }

  async #runCommand(command: string): Promise<void> {
    switch (command) {
      case '/stop':
        return this.isRunning ? this.stop() : this.#say('Nothing is running.')
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
    if (this.#pendingApproval && this.#thread.isStored) return
    this.stop()
    await this.#turn
  }

  async #continue(): Promise<void> {
    const token = this.#resumeToken
    if (token === undefined || this.isRunning) return this.#say('There is nothing to continue.')
    await this.#runTurn(async () => (await this.#open()).continue(token))
  }

  #runTurn(run: () => Promise<TurnOutcome>): Promise<void> {
    this.#approvalRequested = Promise.withResolvers()
    this.#turn = this.#watchTurn(run)
    return this.#settled()
  }

  #settled(): Promise<void> {
    return Promise.race([this.#turn, this.#approvalRequested.promise])
  }

  async #watchTurn(run: () => Promise<TurnOutcome>): Promise<void> {
    this.#view = createTurnView({
      text: this.#screen,
      rows: this.#screen,
      env: this.#env,
      footer: () => [...this.#drawPendingSteers(), ...this.#footer()],
    })
    this.#screen.draw([''])
    try {
      const outcome = await run()
      this.#resumeToken = outcome.type === 'capped' ? outcome.resumeToken : undefined
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      this.#say(error.message)
    } finally {
      this.#closeView()
    }
  }

  #closeView(): void {
    const view = this.#view
    this.#view = undefined
    this.#pendingApproval = undefined
    if (!view) return
    view.close()
    this.#screen.draw([''])
  }

  #drawPendingSteers(): readonly string[] {
    const style = styleOf(this.#screen.output, this.#env)
    return [...this.#pendingSteers].flatMap(({ text }) =>
      wrap(`At the next step: ${toPrintableLine(text)}`, style.width).map((line) =>
        paint(style, 'dim', line),
      ),
    )
  }

  #say(sentence: string): void {
    if (this.#options.onSentence) return this.#options.onSentence(sentence)
    const { width } = styleOf(this.#screen.output, this.#env)
    this.#addLines(wrap(toPrintableLine(sentence), width - 2).map((line) => `  ${line}`))
  }

  #addLines(lines: readonly string[]): void {
    if (this.#view) return this.#view.addLines(lines)
    this.#screen.draw(['', ...lines, ''])
    this.#options.onLines?.()
  }
}
