import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'hi'> = {
  title: 'जॉब',
  intro: 'वे सभी काम जो Capstan आपके बिना करता है, नए सबसे ऊपर।',
  loadFailed: 'जॉब लोड नहीं हो सके',
  empty: {
    text: 'समय-सारणी, ट्रिगर और ऐप का सिंक यहाँ दिखते हैं।',
  },
  none: {
    title: 'कोई जॉब मेल नहीं खाता',
    reset: 'सभी जॉब दिखाएँ',
  },
  kind: 'प्रकार',
  state: 'स्थिति',
  all: 'सभी',
  kinds: {
    sync: 'सिंक',
    schedule: 'समय-सारणी',
    trigger: 'ट्रिगर',
    watch: 'बदलाव सुनना',
  },
  states: {
    waiting: 'इंतज़ार में',
    running: 'चल रहा है',
    paused: 'रुका हुआ',
    done: 'पूरा हुआ',
    failed: 'विफल',
    cancelled: 'रद्द',
  },
  next: 'अगली बार',
  last: 'पिछली बार',
  attempts: 'विफल प्रयास: {{number}}',
  progress: 'देखे गए: लगभग {{expected}} में से {{seen}}',
  progressOpen: 'अब तक देखे गए: {{seen}}',
  actions: {
    pause: 'रोकें',
    resume: 'फिर शुरू करें',
    run: 'अभी चलाएँ',
    cancel: 'हमेशा के लिए बंद करें',
  },
  cancelAsk: {
    title: '“{{title}}” हमेशा के लिए बंद करें?',
    text: 'यह रुक जाएगा और फिर नहीं चलेगा। थोड़ी देर रोकने के लिए इसके बजाय “रोकें” चुनें।',
  },
  more: 'और जॉब दिखाएँ',
}
