import type { AskWords } from './words.ts'

export const ko: AskWords = {
  waits: '승인 대기',
  left: '남음',
  lapsed: '만료',
  spend: (amount) => `에이전트가 ${amount} USDC를 지출하려고 합니다`,
  order: (side, market, amount) => `에이전트가 ${market} ${amount} USDC ${side} 주문을 내려고 합니다`,
  sides: { buy: '매수', sell: '매도' },
  why: (where, above) =>
    `${where}. ${above} USDC를 넘으므로 먼저 승인을 요청합니다(제6조). 승인은 이 호출에 한 번만 유효합니다.`,
  whyOrder: (above) =>
    `한도 계산 가격 기준입니다. ${above} USDC를 넘으므로 먼저 승인을 요청합니다(제6조). 승인은 최대 2% 초과까지 적용됩니다.`,
  call: (name, market) =>
    `${market}에서 ${({ buy: '매수', sell: '매도' } as Readonly<Record<string, string>>)[name] ?? name}`,
  unknownMarket: '시장 목록에 없는 컨트랙트 호출',
  today: '오늘 누적(이 건 포함)',
  trade: '이번 거래',
  approve: '승인',
  decline: '거절',
  deciding: '전송 중',
  exact: '상세 내용',
  target: '컨트랙트',
  data: '호출 데이터',
  digest: '다이제스트',
  size: '수량',
  reduceOnly: '포지션 축소 전용',
  slippage: '허용 슬리피지',
  asked: '요청 시각',
  refuses: '승인하더라도 거부됩니다:',
  expired: '응답 없이 만료되었습니다. 지출된 금액은 없으며 에이전트가 다시 요청할 수 있습니다.',
  elsewhere: {
    approved: '다른 곳에서 승인되었습니다.',
    declined: '다른 곳에서 거절되었습니다.',
    used: '다른 곳에서 승인되어 이미 사용되었습니다.',
    expired: '응답 없이 만료되었습니다.',
    pending: '다시 승인을 기다립니다.',
  },
  approved: (amount) => `${amount} USDC를 승인했습니다. 에이전트는 정확히 이 호출만 보낼 수 있습니다.`,
  declined: (amount) => `${amount} USDC를 거절했습니다. 지출된 금액은 없습니다.`,
  dismiss: '닫기',
}
