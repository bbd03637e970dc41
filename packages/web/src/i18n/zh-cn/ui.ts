import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'zh-CN'> = {
  loading: '正在加载…',
  close: '关闭',
  cancel: '取消',
  retry: '重试',
  errorTitle: '无法显示',
  copy: '复制',
  copied: '已复制',
  copyFailed: '无法复制。请选中文字后自行复制。',
  undo: '撤销',
  dismiss: '关闭',
  notifications: '通知',
  tokens_other: '{{count}} 个词元',
}
