import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'pt'> = {
  title: 'Tarefas',
  intro: 'Todo o trabalho que o Capstan faz sem você, do mais recente ao mais antigo.',
  loadFailed: 'Não foi possível carregar as tarefas',
  empty: {
    text: 'Agendamentos, gatilhos e a sincronização de um aplicativo aparecem aqui.',
  },
  none: {
    title: 'Nenhuma tarefa corresponde',
    reset: 'Mostrar todas as tarefas',
  },
  kind: 'Tipo',
  state: 'Estado',
  all: 'Todas',
  kinds: {
    sync: 'Sincronização',
    schedule: 'Agendamento',
    trigger: 'Gatilho',
    watch: 'Escuta',
  },
  states: {
    waiting: 'Esperando',
    running: 'Em andamento',
    paused: 'Em pausa',
    done: 'Concluída',
    failed: 'Falhou',
    cancelled: 'Cancelada',
  },
  next: 'Próxima vez',
  last: 'Última vez',
  attempts: 'Tentativas com falha: {{number}}',
  progress: 'Vistos: {{seen}} de cerca de {{expected}}',
  progressOpen: 'Vistos até agora: {{seen}}',
  actions: {
    pause: 'Pausar',
    resume: 'Retomar',
    run: 'Executar agora',
    cancel: 'Encerrar de vez',
  },
  cancelAsk: {
    title: 'Encerrar “{{title}}” de vez?',
    text: 'Para e não é mais executada. Para segurar por um tempo, pause em vez disso.',
  },
  more: 'Mostrar mais tarefas',
}
