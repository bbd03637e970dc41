// The offline demo for use without a model: the terminal and the server play the same script.
export { createDemoModel, DEMO_LABEL } from './demo-model.ts'
export { createDemoTools } from './demo-tools.ts'
export { notesHelper } from './notes-helper.ts'
export { CALM, FAST } from './pace.ts'
export type { Pace } from './pace.ts'
export { DEMO_PROMPT } from './trip-scenes.ts'
