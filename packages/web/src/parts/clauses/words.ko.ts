import type { Words } from './words.ts'

export const ko: Words = {
  list: '조항',
  title: (n) => `제${n}조`,
  margin: {
    perTrade: '1회',
    perDay: '1일',
    asksAbove: (amount) => `${amount} 초과 시 승인`,
    asksAll: '모두 승인',
    asksNever: '승인 없음',
    stopsAt: (amount) => `${amount}에서 중지`,
    noStop: '손실 제한선 없음',
    profit: (percent) => `이익의 ${percent}`,
    noFee: '수수료 없음',
    noContract: '컨트랙트 없음',
  },
  pending: '저장됨, 아직 효력 없음',
  legToo: '레그:',
}
