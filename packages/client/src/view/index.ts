// The fold alone, without HTTP and sockets: for programs that have the events already.
export { foldEvents } from './fold-events.ts'
export { isOpenRow, rowsOf } from './rows-of.ts'
export type { Row } from './rows-of.ts'
export { EMPTY_THREAD, rootOf } from './thread-view.ts'
export type { Call, CallStatus, Note, ThreadView, Turn } from './thread-view.ts'
export { currentStepOf, workedMs } from './turn-view.ts'
