export const runs = {} as const
