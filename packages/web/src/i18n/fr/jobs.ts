import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'fr'> = {
  title: 'Tâches',
  intro: 'Tout le travail que Capstan fait sans vous, le plus récent d’abord.',
  loadFailed: 'Les tâches n’ont pas pu être chargées',
  empty: {
    text: 'Les planifications, les déclencheurs et la synchronisation d’une application apparaissent ici.',
  },
  none: {
    title: 'Aucune tâche ne correspond',
    reset: 'Afficher toutes les tâches',
  },
  kind: 'Type',
  state: 'État',
  all: 'Toutes',
  kinds: {
    sync: 'Synchronisation',
    schedule: 'Planification',
    trigger: 'Déclencheur',
    watch: 'Écoute',
  },
  states: {
    waiting: 'En attente',
    running: 'En cours',
    paused: 'En pause',
    done: 'Faite',
    failed: 'Échouée',
    cancelled: 'Annulée',
  },
  next: 'Prochaine fois',
  last: 'Dernière fois',
  attempts: 'Tentatives échouées : {{number}}',
  progress: 'Parcourus : {{seen}} sur environ {{expected}}',
  progressOpen: 'Parcourus jusqu’ici : {{seen}}',
  actions: {
    pause: 'Mettre en pause',
    resume: 'Reprendre',
    run: 'Exécuter maintenant',
    cancel: 'Arrêter pour de bon',
  },
  cancelAsk: {
    title: 'Arrêter « {{title}} » pour de bon ?',
    text: 'Elle s’arrête et ne s’exécute plus. Pour la suspendre un moment, mettez-la plutôt en pause.',
  },
  more: 'Afficher plus de tâches',
}
