/** Prints a new login link; the link printed at the start works once. */
export const LOGIN_COMMAND = 'npx capstan login'
