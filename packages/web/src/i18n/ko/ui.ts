import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'ko'> = {
  loading: '불러오는 중…',
  close: '닫기',
  cancel: '취소',
  retry: '다시 시도',
  errorTitle: '표시할 수 없었습니다',
  copy: '복사',
  copied: '복사됨',
  copyFailed: '복사할 수 없었습니다. 텍스트를 선택해 직접 복사하세요.',
  undo: '실행 취소',
  dismiss: '닫기',
  notifications: '알림',
  tokens_other: '토큰 {{count}}개',
}
