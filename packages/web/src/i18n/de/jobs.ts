import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'de'> = {
  title: 'Aufträge',
  intro: 'Alle Arbeit, die Capstan ohne dich erledigt, die neueste zuerst.',
  loadFailed: 'Die Aufträge konnten nicht geladen werden',
  empty: {
    text: 'Zeitpläne, Auslöser und die Synchronisierung einer App erscheinen hier.',
  },
  none: {
    title: 'Kein Auftrag passt',
    reset: 'Alle Aufträge zeigen',
  },
  kind: 'Art',
  state: 'Zustand',
  all: 'Alle',
  kinds: {
    sync: 'Synchronisierung',
    schedule: 'Zeitplan',
    trigger: 'Auslöser',
    watch: 'Horchen',
  },
  states: {
    waiting: 'Wartet',
    running: 'Läuft',
    paused: 'Pausiert',
    done: 'Erledigt',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  next: 'Nächstes Mal',
  last: 'Letztes Mal',
  attempts: 'Fehlversuche: {{number}}',
  progress: 'Angesehen: {{seen}} von etwa {{expected}}',
  progressOpen: 'Bisher angesehen: {{seen}}',
  actions: {
    pause: 'Pausieren',
    resume: 'Fortsetzen',
    run: 'Jetzt ausführen',
    cancel: 'Endgültig beenden',
  },
  cancelAsk: {
    title: '„{{title}}“ endgültig beenden?',
    text: 'Er hört auf und läuft nicht mehr. Um ihn eine Weile anzuhalten, pausiere ihn stattdessen.',
  },
  more: 'Weitere Aufträge zeigen',
}
