import { shownPercent } from '../../lib/money.ts'
import type { Reading, Words } from './words.ts'

const dateOf = (seconds: bigint): string =>
  `${new Date(Number(seconds) * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Each clause in Korean, as far as its figures go. */
const reading: Reading = (number, figures, show) => {
  const { budget, perTxCap, dailyCap, approvalAbove, stopLine, endsAt, feeBps, markets } = figures
  switch (number) {
    case 1:
      return `예산: 금고에는 최대 ${show(budget)} USDC까지 입금할 수 있습니다. 초과분은 에이전트가 사용할 수 없으며 소유자에게 돌아갑니다.`
    case 2:
      return `1회 한도: 에이전트는 한 번의 호출로 최대 ${show(perTxCap)} USDC를 쓸 수 있습니다.`
    case 3:
      return `1일 한도: 에이전트의 모든 호출은 UTC 하루에 합쳐서 최대 ${show(dailyCap)} USDC를 쓸 수 있습니다. UTC 자정 전후 24시간에는 최대 두 배까지 쓸 수 있습니다.`
    case 4:
      return markets.length === 0
        ? '허용 시장: 에이전트는 금고를 통해 어떤 컨트랙트도 호출할 수 없습니다.'
        : `허용 시장: ${markets.join(', ')}의 정해진 함수만 호출할 수 있습니다. 보유분 매도에는 한도가 없습니다.`
    case 5:
      return `종료일: ${dateOf(endsAt)}부터 에이전트는 아무것도 쓸 수 없고 포지션 청산만 할 수 있습니다.`
    case 6:
      return approvalAbove === null
        ? '승인: 승인을 기다리는 지출이 없습니다.'
        : `승인: ${show(approvalAbove)} USDC를 초과하는 지출은 소유자가 승인할 때까지 보류됩니다. 가드가 집행하며 컨트랙트는 집행할 수 없습니다. 에이전트의 지갑은 가드를 거치지 않고 행동할 수 있으며, 그 경우 기록에 위반으로 남습니다.`
    case 7:
      return stopLine === 0n
        ? '손실 제한선: 없습니다. 손실이 나도 에이전트가 멈추지 않습니다.'
        : `손실 제한선: 키퍼가 보고한 평가액이 ${show(stopLine)} USDC 이하가 되면 금고가 에이전트를 영구히 차단합니다.`
    default:
      return feeBps === 0n
        ? '수수료와 정산: 수수료가 없습니다.'
        : `수수료와 정산: 실현 이익의 ${shownPercent(feeBps)}이며 출금 또는 정산할 때 금고가 장부에서 계산해 에이전트의 지갑에 지급합니다.`
  }
}

export const ko: Words = {
  list: '조항',
  title: (n) => `제${n}조`,
  margin: {
    perTrade: '(1회)',
    perDay: '(1일)',
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
  notSigned: '서명 대상 아님',
  reading,
}
