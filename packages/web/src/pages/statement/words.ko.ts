import type { Words } from './words.ts'

export const ko: Words = {
  title: '명세서',
}
