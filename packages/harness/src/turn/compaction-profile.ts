/** How outputs are shortened: `full` may leave something out, `light` never does, `off` does nothing. */
export type CompactionProfile = 'full' | 'light' | 'off'
