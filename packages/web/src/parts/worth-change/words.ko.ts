import type { Words } from './words.ts'

export const ko: Words = {
  between: (low, high) => `${low} ~ ${high}`,
  told: (value, low, high) => `${value}, 90% 구간 ${low}에서 ${high}까지`,
  noInterval: '아직 구간 없음',
  unknown: '알 수 없음',
}
