import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'ru'> = {
  title: 'Задания',
  intro: 'Вся работа, которую Capstan делает без вас; новая вверху.',
  loadFailed: 'Не удалось загрузить задания',
  empty: {
    text: 'Здесь появятся расписания, триггеры и синхронизация приложений.',
  },
  none: {
    title: 'Подходящих заданий нет',
    reset: 'Показать все задания',
  },
  kind: 'Вид',
  state: 'Состояние',
  all: 'Все',
  kinds: {
    sync: 'Синхронизация',
    schedule: 'Расписание',
    trigger: 'Триггер',
    watch: 'Ожидание сообщений',
  },
  states: {
    waiting: 'Ждёт',
    running: 'Идёт',
    paused: 'Приостановлено',
    done: 'Готово',
    failed: 'Сбой',
    cancelled: 'Отменено',
  },
  next: 'Следующий раз',
  last: 'Последний раз',
  attempts: 'Неудачных попыток: {{number}}',
  progress: 'Просмотрено: {{seen}} примерно из {{expected}}',
  progressOpen: 'Просмотрено пока: {{seen}}',
  actions: {
    pause: 'Приостановить',
    resume: 'Возобновить',
    run: 'Запустить сейчас',
    cancel: 'Завершить навсегда',
  },
  cancelAsk: {
    title: 'Завершить «{{title}}» навсегда?',
    text: 'Оно остановится и больше не запустится. Чтобы задержать его на время, лучше приостановите.',
  },
  more: 'Показать ещё задания',
}
