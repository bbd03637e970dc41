import type { Delivery, Session, SessionOptions } from '@capstan/harness'
import { createSession } from '@capstan/harness'
import type { TurnOutcome } from '@capstan/protocol'
import { wrap } from '../render/display-width.ts'
import { toInertLine } from '../render/inert.ts'
import type { Screen } from '../render/live-screen.ts'
import type { Environment } from '../render/style.ts'
import { paint, styleOf } from '../render/style.ts'
import type { TurnView } from '../render/turn-view.ts'
import { createTurnView } from '../render/turn-view.ts'

const COMMANDS = `  /stop      end the turn that is running
  /continue  go on after a turn that paused at its limit
  /help      show this
  /quit      leave`.split('\n')

/** A chat without its keyboard: takes lines, shows turns. */
export class Conversation {
  readonly #session: Session
  readonly #screen: Screen
  readonly #env: Environment
  readonly #footer: () => readonly string[]
  /** Sent while a turn is running, and not yet heard. */
  readonly #unheard = new Set<{ readonly words: string }>()
  #view: TurnView | undefined
  #turn: Promise<void> | undefined
  #resumeToken: string | undefined
  /** The user wants to leave. */
  isOver = false

  constructor(
    options: SessionOptions,
    where: { readonly screen: Screen; readonly env: Environment; readonly footer?: () => readonly string[] },
  ) {
    this.#session = createSession({ ...options, onEvent: (event) => this.#view?.onEvent(event) })
    this.#screen = where.screen
    this.#env = where.env
    this.#footer = where.footer ?? (() => [])
  }

  get isRunning(): boolean {
    return this.#view !== undefined
  }

  refresh(): void {
    this.#view?.refresh()
  }

  stop(): void {
    this.#session.stop()
  }

  /** Settles when everything this line has set in motion is done. */
  async take(line: string): Promise<void> {
    const words = line.trim()
    if (words === '') return
    if (words.startsWith('/')) return this.#obey(words)
    if (!this.isRunning) return this.#runTurn(() => this.#session.send(words))
    const delivery = await this.#steer(words)
    if (delivery.delivered || this.isOver) return
    // It came too late for that turn, so it opens the next one.
    await this.#session.idle()
    await this.take(words)
  }

  async #steer(words: string): Promise<Delivery> {
    const message = { words }
    this.#unheard.add(message)
    try {
      return await this.#session.steer(words)
    } finally {
      this.#unheard.delete(message)
    }
  }

  async #obey(command: string): Promise<void> {
    switch (command) {
      case '/stop':
        return this.isRunning ? this.stop() : this.#say(['  Nothing is running.'])
      case '/continue':
        return this.#continue()
      case '/help':
        return this.#say(COMMANDS)
      case '/quit':
      case '/exit':
        this.isOver = true
        this.stop()
        return this.#turn
      default:
        return this.#say([`  There is no command "${toInertLine(command).split(' ')[0]}".`, ...COMMANDS])
    }
  }

  async #continue(): Promise<void> {
    const token = this.#resumeToken
    if (token === undefined || this.isRunning) return this.#say(['  There is nothing to continue.'])
    await this.#runTurn(() => this.#session.resume(token))
  }

  #runTurn(run: () => Promise<TurnOutcome>): Promise<void> {
    this.#turn = this.#watchTurn(run)
    return this.#turn
  }

  async #watchTurn(run: () => Promise<TurnOutcome>): Promise<void> {
    const view = createTurnView({
      text: this.#screen,
      rows: this.#screen,
      env: this.#env,
      footer: () => [...this.#drawUnheard(), ...this.#footer()],
    })
    this.#view = view
    this.#screen.draw([''])
    try {
      const outcome = await run()
      this.#resumeToken = outcome.type === 'capped' ? outcome.resumeToken : undefined
    } finally {
      this.#view = undefined
      view.close()
      this.#screen.draw([''])
    }
  }

  #drawUnheard(): readonly string[] {
    const style = styleOf(this.#screen.output, this.#env)
    return [...this.#unheard].flatMap(({ words }) =>
      wrap(`At the next step: ${toInertLine(words)}`, style.width).map((line) => paint(style, 'dim', line)),
    )
  }

  #say(lines: readonly string[]): void {
    if (this.#view) this.#view.say(lines)
    else this.#screen.draw(['', ...lines, ''])
  }
}
