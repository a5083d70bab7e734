import type { Words } from './words.ts'

export const ko: Words = {
  told: (from, to, last, low, high) => `${from}부터 ${to}까지 UTC 일별 지수: 마지막 ${last}, 최저 ${low}, 최고 ${high}`,
  line: (index) => `손실 제한선 지수 ${index}`,
  day: 'UTC 날짜',
  index: '지수',
}
