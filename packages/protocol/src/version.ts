/** The version of Capstan. Every package has it; a test compares them. */
export const VERSION = '0.1.0'
