/** What a newcomer is offered, for screens that have a demo model behind them. */
export interface WelcomePrompt {
  readonly id: 'connect' | 'sub-agents' | 'failure'
  /** In English. A screen sends it in its own language. */
  readonly text: string
  /** Written like this, in Latin letters, in every language: the script of the demo knows its scene by them. */
  readonly names: readonly string[]
}

/** The prompts of the welcome page. */
export const WELCOME_PROMPTS: readonly WelcomePrompt[] = [
  { id: 'connect', text: 'Save the packing list for Sandholm to my Notes', names: ['Sandholm', 'Notes'] },
  {
    id: 'sub-agents',
    text: 'Let two helpers read my Notes and draw up a plan for the week called Almanac',
    names: ['Notes', 'Almanac'],
  },
  { id: 'failure', text: 'Bring my Tidewater calendar into my Notes', names: ['Tidewater', 'Notes'] },
]
