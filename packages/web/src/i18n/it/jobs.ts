import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'it'> = {
  title: 'Processi',
  intro: 'Tutto il lavoro che Capstan fa senza di te, il più recente per primo.',
  loadFailed: 'Non è stato possibile caricare i processi',
  empty: {
    text: 'Qui compaiono le pianificazioni, gli attivatori e la sincronizzazione di un’app.',
  },
  none: {
    title: 'Nessun processo corrisponde',
    reset: 'Mostra tutti i processi',
  },
  kind: 'Tipo',
  state: 'Stato',
  all: 'Tutti',
  kinds: {
    sync: 'Sincronizzazione',
    schedule: 'Pianificazione',
    trigger: 'Attivatore',
    watch: 'Ascolto',
  },
  states: {
    waiting: 'In attesa',
    running: 'In corso',
    paused: 'In pausa',
    done: 'Fatto',
    failed: 'Non riuscito',
    cancelled: 'Annullato',
  },
  next: 'Prossima volta',
  last: 'Ultima volta',
  attempts: 'Tentativi non riusciti: {{number}}',
  progress: 'Esaminati: {{seen}} di circa {{expected}}',
  progressOpen: 'Esaminati finora: {{seen}}',
  actions: {
    pause: 'Metti in pausa',
    resume: 'Riprendi',
    run: 'Esegui ora',
    cancel: 'Termina per sempre',
  },
  cancelAsk: {
    title: 'Terminare «{{title}}» per sempre?',
    text: 'Si ferma e non riparte. Per fermarlo solo per un po’, mettilo invece in pausa.',
  },
  more: 'Mostra altri processi',
}
