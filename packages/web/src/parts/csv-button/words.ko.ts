import type { Words } from './words.ts'

export const ko: Words = { save: 'CSV로 저장' }
