/** Where services send people back to. Given to them exactly so. */
export const CALLBACK_PATH = '/oauth/callback'
