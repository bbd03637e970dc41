/** Prints a new link; the one of the start works once. */
export const LOGIN_COMMAND = 'npx capstan login'
