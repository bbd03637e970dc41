export const schedules = {
  title: 'Schedules',
} as const
