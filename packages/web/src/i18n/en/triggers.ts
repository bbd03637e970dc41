export const triggers = {
  title: 'Triggers',
} as const
