export const memory = {
  title: 'Memory',
} as const
