import type { Words } from './words.ts'

export const ko: Words = {
  XNYS: '뉴욕증권거래소',
  XNAS: '나스닥',
  XCME: 'CME 지수 선물',
  XKRX: '한국거래소',
  XTKS: '도쿄증권거래소',
  XHKG: '홍콩증권거래소',
  XLON: '런던증권거래소',
}
