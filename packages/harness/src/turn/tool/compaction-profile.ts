/** How outputs are shortened: `full` may drop content, `light` never does, `off` changes nothing. */
export type CompactionProfile = 'full' | 'light' | 'off'
