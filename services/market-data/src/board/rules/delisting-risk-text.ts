import type { LocalizedText } from '#crisis/rules/crisis-text.ts'
import type { FloorKey, RiskInputKey, RiskScore } from './delisting-risk-model.ts'

const formats = [0, 1, 2].map((maximumFractionDigits) => new Intl.NumberFormat('en-US', { maximumFractionDigits }))
const number = (value: number, digits: 0 | 1 | 2 = 0) => formats[digits]?.format(value) ?? ''

/** What the texts say about the inputs beside their values. */
export interface InputNotes {
  readonly depthIsLowerBound?: boolean
  /** Minutes of candles behind `zero_trade_share` and `amihud`; absent or 0 if unknown. */
  readonly candleMinutes?: number
}

const minutes = (count: number | undefined): LocalizedText =>
  count === undefined || count === 0
    ? { en: 'the minutes', ko: '' }
    : { en: `the last ${number(count)} minutes`, ko: `최근 ${number(count)}분 중 ` }

const inputs: Record<RiskInputKey, (value: number, notes: InputNotes) => LocalizedText> = {
  volume_24h_usd: (value) => ({ en: `24 h volume $${number(value)}`, ko: `24시간 거래대금 $${number(value)}` }),
  zero_trade_share: (value, { candleMinutes }) => ({
    en: `no trade in ${number(value * 100, 1)}% of ${minutes(candleMinutes).en}`,
    ko: `${minutes(candleMinutes).ko}거래가 없던 시간 비율 ${number(value * 100, 1)}%`,
  }),
  amihud: (value) => ({
    en: `price impact ${number(value, 2)} bps per $1,000 traded`,
    ko: `$1,000 거래당 가격 영향 ${number(value, 2)}bp`,
  }),
  depth_2pct_usd: (value, { depthIsLowerBound }) => {
    const amount = `${depthIsLowerBound === true ? '≥ ' : ''}$${number(value)}`
    return { en: `depth of ${amount} within 2%`, ko: `±2% 호가 잔량 ${amount}` }
  },
  spread_bps: (value) => ({ en: `spread ${number(value, 1)} bps`, ko: `스프레드 ${number(value, 1)}bp` }),
  quote_markets: (value) => ({
    en: `${number(value)} market${value === 1 ? '' : 's'} at the venue`,
    ko: `거래소 내 마켓 ${number(value)}개`,
  }),
  regulated_venues: (value) => ({
    en: `listed at ${number(value)} regulated venue${value === 1 ? '' : 's'}`,
    ko: `규제 거래소 ${number(value)}곳에 상장`,
  }),
}

const floors: Record<FloorKey, LocalizedText> = {
  caution: { en: 'The venue has marked it with a caution.', ko: '거래소가 주의 종목으로 지정했습니다.' },
  warning: {
    en: 'The venue has put it under a warning or monitoring tag.',
    ko: '거래소가 유의·모니터링 종목으로 지정했습니다.',
  },
  margin_delisting: {
    en: 'The venue is removing it from margin trading or lending.',
    ko: '거래소가 마진·대출 지원을 종료합니다.',
  },
  delisted_elsewhere: {
    en: 'Another tracked venue delisted it within 60 days.',
    ko: '다른 거래소에서 최근 60일 이내에 상장 폐지되었습니다.',
  },
  delisting_announced: { en: 'The venue has announced its delisting.', ko: '거래소가 상장 폐지를 공지했습니다.' },
  crisis_1: { en: 'A crisis is under way (severity 1 of 3).', ko: '위기가 진행 중입니다(심각도 1/3).' },
  crisis_2: { en: 'A crisis is under way (severity 2 of 3).', ko: '위기가 진행 중입니다(심각도 2/3).' },
  crisis_3: { en: 'A crisis is under way (severity 3 of 3).', ko: '위기가 진행 중입니다(심각도 3/3).' },
  crisis_recent: {
    en: 'A crisis ended less than seven days ago.',
    ko: '최근 7일 이내에 위기가 종료되었습니다.',
  },
}

const isFloor = (key: string): key is FloorKey => key in floors

/** Describes the score: first the flag or crisis that sets its floor, then the rank among the peers and its main reasons. */
export function riskText({ score, reason, factors, n_peers }: RiskScore, notes: InputNotes = {}): LocalizedText {
  const sentences: LocalizedText[] = []
  for (const { key } of factors) if (isFloor(key)) sentences.push(floors[key])
  if (reason === 'too_few_peers')
    sentences.push({
      en: `Not enough data for a rank: only ${n_peers} comparable pairs.`,
      ko: `순위를 매기기에 비교 대상이 부족합니다(${n_peers}개).`,
    })
  else if (reason === 'too_few_inputs')
    sentences.push({
      en: 'Not enough data for a rank: too few liquidity figures are known.',
      ko: '순위를 매기기에 알려진 유동성 지표가 부족합니다.',
    })
  else sentences.push(placeText(score ?? 0, factors, n_peers, notes))
  return {
    en: sentences.map(({ en }) => en).join(' '),
    ko: sentences.map(({ ko }) => ko).join(' '),
  }
}

function placeText(score: number, factors: RiskScore['factors'], peers: number, notes: InputNotes): LocalizedText {
  const ranked = factors.filter(({ key, value }) => !isFloor(key) && value !== null)
  const rank = Math.round(ranked.reduce((sum, { points }) => sum + points, 0))
  const reasons = ranked
    .toSorted((a, b) => b.points - a.points)
    .slice(0, 3)
    .flatMap(({ key, value }) => (isFloor(key) || value === null ? [] : [inputs[key](value, notes)]))
  const raised =
    score > rank ? { en: ` Raised from ${rank} to ${score}.`, ko: ` 점수를 상향했습니다(${rank} → ${score}).` } : null
  return {
    en: `Less liquid than ${rank}% of ${peers} comparable pairs: ${reasons.map(({ en }) => en).join(', ')}.${raised?.en ?? ''}`,
    ko: `비교 대상 ${peers}개 중 ${rank}%보다 유동성이 낮습니다: ${reasons.map(({ ko }) => ko).join(', ')}.${raised?.ko ?? ''}`,
  }
}
