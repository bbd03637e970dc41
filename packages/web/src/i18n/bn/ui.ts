import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'bn'> = {
  loading: 'লোড হচ্ছে…',
  close: 'বন্ধ করুন',
  cancel: 'বাতিল',
  retry: 'আবার চেষ্টা করুন',
  errorTitle: 'এটি দেখানো যায়নি',
  copy: 'কপি করুন',
  copied: 'কপি হয়েছে',
  copyFailed: 'কপি করা যায়নি। লেখাটি বেছে নিয়ে নিজে কপি করুন।',
  undo: 'ফিরিয়ে আনুন',
  dismiss: 'সরিয়ে দিন',
  notifications: 'বিজ্ঞপ্তি',
  tokens_one: '{{count}}টি টোকেন',
  tokens_other: '{{count}}টি টোকেন',
}
