import type { Words } from './words.ts'

export const ko: Words = {
  buy: (asset, amount) => `${asset} ${amount} USDC 매수`,
  sell: (asset, units) => `${asset} ${units} 매도`,
  redeem: (asset) => `${asset} 전량 상환`,
  most: (what, price, asset) => `${what}, 1 ${asset}당 최대 ${price} USDC`,
  least: (what, price, asset) => `${what}, 1 ${asset}당 최소 ${price} USDC`,
  any: (what) => `${what}, 가격 제한 없음`,
  closeSell: (asset, units, least) => `${asset} 포지션 청산: ${asset} ${units} 매도, 최소 ${least} USDC 수령`,
  closeAny: (asset, units) => `${asset} 포지션 청산: ${asset} ${units} 매도, 가격 제한 없음`,
  closeRedeem: (asset) => `${asset} 포지션 청산: 최종 가격으로 전량 상환`,
  sized: (side, market, size) => `${market} ${size} ${side}`,
  unsized: (side, market) => `${market} ${side}`,
  sides: { buy: '매수', sell: '매도' },
  unknown: '자산과 가격을 알 수 없습니다. 기록에 이 호출의 데이터가 없습니다.',
  unlisted: '자산과 가격을 알 수 없습니다. 시장 목록에 없는 호출입니다.',
  malformed: '자산과 가격을 알 수 없습니다. 목록에 있는 호출의 데이터 형식이 아닙니다.',
  raw: '원본 호출',
}
