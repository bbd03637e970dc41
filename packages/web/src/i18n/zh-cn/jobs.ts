import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'zh-CN'> = {
  title: '后台作业',
  intro: 'Capstan 在您不在时做的所有工作，最新的在前。',
  loadFailed: '无法加载后台作业',
  empty: {
    text: '定时任务、触发器和应用的同步会显示在这里。',
  },
  none: {
    title: '没有符合条件的作业',
    reset: '显示所有作业',
  },
  kind: '类型',
  state: '状态',
  all: '全部',
  kinds: {
    sync: '同步',
    schedule: '定时任务',
    trigger: '触发器',
    watch: '监听',
  },
  states: {
    waiting: '等待中',
    running: '运行中',
    paused: '已暂停',
    done: '已完成',
    failed: '失败',
    cancelled: '已取消',
  },
  next: '下次',
  last: '上次',
  attempts: '失败次数：{{number}}',
  progress: '已查看：{{seen}}，共约 {{expected}}',
  progressOpen: '目前已查看：{{seen}}',
  actions: {
    pause: '暂停',
    resume: '继续',
    run: '立即运行',
    cancel: '彻底结束',
  },
  cancelAsk: {
    title: '彻底结束“{{title}}”？',
    text: '它会停止，不再运行。如果只想暂缓一阵，请改为暂停。',
  },
  more: '显示更多作业',
}
