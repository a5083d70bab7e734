import type { Words } from './words.ts'

export const ko: Words = {
  title: '이 한도로 보내는 하루',
  lead: '에이전트가 지나치게 행동한다면 어떻게 될까요? 금액은 USDC, 시각은 UTC입니다. 매번 승인하신다고 보고 금고와 가드의 규칙으로 브라우저에서 판정하며, 아무것도 전송하지 않습니다.',
  list: '하루 동안의 시도',
  buys: '매수',
  foreign: '다른 컨트랙트 호출',
  worthAtLine: '하락한 평가액',
  worthHalf: '반감된 평가액',
  noLine: '손실 제한선이 없습니다. 에이전트를 차단하는 것이 없습니다.',
  verdict: { passes: '통과', asks: '승인 요청', refused: '거부' },
  asksAbove: (above) => `승인을 기다립니다: ${above} 초과.`,
  asksAll: '승인을 기다립니다.',
  why: {
    over_per_tx_cap: (cap) => `1회 한도 초과: 최대 ${cap}.`,
    over_daily_cap: (left) => `1일 한도 초과: 오늘 남은 한도 ${left}.`,
    insufficient_funds: (left) => `금고 잔액 초과: 남은 금액 ${left}.`,
  },
  notListed: '허용된 시장이 아닙니다.',
  stopped: '손실 제한선 도달: 영구히 차단됩니다.',
  other: '거부되었습니다.',
  tally: (passes, asks, refused) => `이 한도로 보내는 하루: 통과 ${passes}, 승인 요청 ${asks}, 거부 ${refused}`,
  passes: (n) => `통과 ${n}`,
  asks: (n) => `승인 ${n}`,
  refused: (n) => `거부 ${n}`,
}
