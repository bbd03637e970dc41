import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'hi'> = {
  loading: 'लोड हो रहा है…',
  close: 'बंद करें',
  cancel: 'रद्द करें',
  retry: 'दोबारा कोशिश करें',
  errorTitle: 'यह दिखाया नहीं जा सका',
  copy: 'कॉपी करें',
  copied: 'कॉपी हो गया',
  copyFailed: 'कॉपी नहीं हो सका। टेक्स्ट चुनें और खुद कॉपी करें।',
  undo: 'वापस लाएँ',
  dismiss: 'हटा दें',
  notifications: 'सूचनाएँ',
  tokens_one: '{{count}} टोकन',
  tokens_other: '{{count}} टोकन',
}
