import type { Words } from './words.ts'

export const ko: Words = { save: 'CSV 저장' }
