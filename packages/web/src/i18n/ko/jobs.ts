import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'ko'> = {
  title: '작업',
  intro: 'Capstan이 당신 없이 하는 모든 일이며, 새로운 것부터 보입니다.',
  loadFailed: '작업을 불러오지 못했습니다',
  empty: {
    text: '일정, 트리거, 앱 동기화가 여기에 나타납니다.',
  },
  none: {
    title: '맞는 작업이 없습니다',
    reset: '모든 작업 보기',
  },
  kind: '종류',
  state: '상태',
  all: '전체',
  kinds: {
    sync: '동기화',
    schedule: '일정',
    trigger: '트리거',
    watch: '변경 대기',
  },
  states: {
    waiting: '대기 중',
    running: '실행 중',
    paused: '일시 중지됨',
    done: '완료',
    failed: '실패',
    cancelled: '취소됨',
  },
  next: '다음 시각',
  last: '지난 시각',
  attempts: '실패한 시도: {{number}}',
  progress: '살펴본 항목: 약 {{expected}}개 중 {{seen}}개',
  progressOpen: '지금까지 살펴본 항목: {{seen}}',
  actions: {
    pause: '일시 중지',
    resume: '다시 시작',
    run: '지금 실행',
    cancel: '완전히 끝내기',
  },
  cancelAsk: {
    title: '“{{title}}”: 완전히 끝낼까요?',
    text: '멈추고 다시 실행되지 않습니다. 잠시만 멈추려면 대신 일시 중지하세요.',
  },
  more: '작업 더 보기',
}
