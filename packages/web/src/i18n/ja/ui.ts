import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'ja'> = {
  loading: '読み込み中…',
  close: '閉じる',
  cancel: 'キャンセル',
  retry: 'もう一度試す',
  errorTitle: '表示できませんでした',
  copy: 'コピー',
  copied: 'コピーしました',
  copyFailed: 'コピーできませんでした。テキストを選択してコピーしてください。',
  undo: '元に戻す',
  dismiss: '閉じる',
  notifications: '通知',
  tokens_other: '{{count}} トークン',
}
