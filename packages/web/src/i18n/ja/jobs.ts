import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'ja'> = {
  title: 'ジョブ',
  intro: 'あなたなしで Capstan が行うすべての作業です。新しい順に並びます。',
  loadFailed: 'ジョブを読み込めませんでした',
  empty: {
    text: 'スケジュール、トリガー、アプリの同期がここに表示されます。',
  },
  none: {
    title: '当てはまるジョブはありません',
    reset: 'すべてのジョブを表示',
  },
  kind: '種類',
  state: '状態',
  all: 'すべて',
  kinds: {
    sync: '同期',
    schedule: 'スケジュール',
    trigger: 'トリガー',
    watch: '待ち受け',
  },
  states: {
    waiting: '待機中',
    running: '実行中',
    paused: '一時停止中',
    done: '完了',
    failed: '失敗',
    cancelled: '取り消し済み',
  },
  next: '次回',
  last: '前回',
  attempts: '失敗した回数：{{number}}',
  progress: '確認済み：{{seen}}（全体は約 {{expected}}）',
  progressOpen: 'これまでに確認：{{seen}}',
  actions: {
    pause: '一時停止',
    resume: '再開',
    run: '今すぐ実行',
    cancel: '完全に終了',
  },
  cancelAsk: {
    title: '「{{title}}」を完全に終了しますか？',
    text: '停止し、今後は実行されません。しばらく止めるだけなら、一時停止してください。',
  },
  more: 'ジョブをもっと表示',
}
