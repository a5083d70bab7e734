import type { Words } from './words.ts'

export const ko: Words = {
  title: '거래는 프로그램에게, 한도는 내가',
}
