import type { Words } from './words.ts'

export const ko: Words = {
  save: '거래 내역·수수료 (CSV)',
  hint: '모든 입금, 거래, 수수료, 손익, 출금을 표로 저장합니다',
}
