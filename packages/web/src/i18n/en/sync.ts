export const sync = {
  title: 'Sync into memory',
} as const
