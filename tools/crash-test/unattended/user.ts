/** Whose apps, triggers and schedules these are. */
export const USER = 'local'
