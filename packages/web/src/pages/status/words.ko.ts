import type { Words } from './words.ts'

export const ko: Words = {
  title: '상태',
}
