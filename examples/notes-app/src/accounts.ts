/** Somebody's notebook. There are no passwords: the app answers on loopback only, and it is a demo. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly address: string
}

export const ACCOUNTS: readonly Account[] = [
  { id: 'ada', name: 'Ada’s notebook', address: 'ada@notes.example' },
  { id: 'team', name: 'Team notebook', address: 'team@notes.example' },
]

export function findAccount(id: string | undefined): Account | undefined {
  return ACCOUNTS.find((account) => account.id === id)
}

/** What a new notebook holds, so that there is something to find on the first day. */
export const FIRST_PAGES: Readonly<
  Record<string, readonly { readonly title: string; readonly text: string }[]>
> = {
  ada: [
    {
      title: 'Reading list',
      text: 'Still to read:\n\n- The Soul of a New Machine\n- A Pattern Language\n- Invisible Cities\n\nLent to Grace: Gödel, Escher, Bach.',
    },
    {
      title: 'Trip to Lisbon',
      text: 'Train on Thursday at 9:40, hotel near Graça.\n\n## Things to see\n\n- The tile museum, closed on Mondays\n- Cabo da Roca, if the weather holds\n\nBudget: 600 euros.',
    },
    {
      title: 'Sourdough',
      text: '400 g flour, 280 g water, 80 g starter, 8 g salt.\n\nFold four times in two hours. Overnight in the cold, then 45 minutes at 240 degrees with the lid on for the first half.',
    },
  ],
  team: [
    {
      title: 'Release checklist',
      text: '- Changelog read aloud once\n- Tests green on both machines\n- Somebody who did not write it has tried it',
    },
    {
      title: 'Retrospective, week 12',
      text: '## Went well\n\n- Fewer meetings\n\n## Did not\n\n- The import job failed twice at night and nobody noticed until noon.',
    },
  ],
}
