import type { Words } from './words.ts'

export const ko: Words = {
  title: '에이전트',
}
