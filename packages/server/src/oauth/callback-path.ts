/** The redirect address that services know. */
export const CALLBACK_PATH = '/oauth/callback'
