import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'bn'> = {
  title: 'জব',
  intro: 'আপনাকে ছাড়া Capstan যেসব কাজ করে, নতুনগুলো আগে।',
  loadFailed: 'জব লোড করা যায়নি',
  empty: {
    text: 'সময়সূচি, ট্রিগার ও অ্যাপের সিঙ্ক এখানে দেখা যায়।',
  },
  none: {
    title: 'কোনো জব মেলে না',
    reset: 'সব জব দেখান',
  },
  kind: 'ধরন',
  state: 'অবস্থা',
  all: 'সব',
  kinds: {
    sync: 'সিঙ্ক',
    schedule: 'সময়সূচি',
    trigger: 'ট্রিগার',
    watch: 'বদল শোনা',
  },
  states: {
    waiting: 'অপেক্ষায়',
    running: 'চলছে',
    paused: 'থামানো',
    done: 'সম্পন্ন',
    failed: 'ব্যর্থ',
    cancelled: 'বাতিল',
  },
  next: 'পরের বার',
  last: 'শেষ বার',
  attempts: 'ব্যর্থ চেষ্টা: {{number}}',
  progress: 'দেখা হয়েছে: প্রায় {{expected}}-এর মধ্যে {{seen}}',
  progressOpen: 'এ পর্যন্ত দেখা হয়েছে: {{seen}}',
  actions: {
    pause: 'থামান',
    resume: 'আবার চালু করুন',
    run: 'এখনই চালান',
    cancel: 'চিরতরে শেষ করুন',
  },
  cancelAsk: {
    title: '“{{title}}” চিরতরে শেষ করবেন?',
    text: 'এটি থেমে যাবে এবং আর চলবে না। কিছু সময়ের জন্য রাখতে চাইলে বরং থামান।',
  },
  more: 'আরও জব দেখান',
}
