import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'es'> = {
  title: 'Trabajos',
  intro: 'Todo el trabajo que Capstan hace sin ti, lo más reciente primero.',
  loadFailed: 'No se pudieron cargar los trabajos',
  empty: {
    text: 'Aquí aparecen las programaciones, los activadores y la sincronización de una aplicación.',
  },
  none: {
    title: 'Ningún trabajo coincide',
    reset: 'Mostrar todos los trabajos',
  },
  kind: 'Tipo',
  state: 'Estado',
  all: 'Todos',
  kinds: {
    sync: 'Sincronización',
    schedule: 'Programación',
    trigger: 'Activador',
    watch: 'Escucha',
  },
  states: {
    waiting: 'En espera',
    running: 'En curso',
    paused: 'En pausa',
    done: 'Hecho',
    failed: 'Fallido',
    cancelled: 'Cancelado',
  },
  next: 'Próxima vez',
  last: 'Última vez',
  attempts: 'Intentos fallidos: {{number}}',
  progress: 'Revisados: {{seen}} de unos {{expected}}',
  progressOpen: 'Revisados hasta ahora: {{seen}}',
  actions: {
    pause: 'Pausar',
    resume: 'Reanudar',
    run: 'Ejecutar ahora',
    cancel: 'Terminar del todo',
  },
  cancelAsk: {
    title: '¿Terminar «{{title}}» del todo?',
    text: 'Se detiene y no vuelve a ejecutarse. Para detenerlo un tiempo, mejor ponlo en pausa.',
  },
  more: 'Mostrar más trabajos',
}
