/** Assets with a chain of their own: ticker, name, Korean name, price in USD and daily volume in millions of USD. */
export const majors: readonly (readonly [string, string, string, number, number])[] = [
  ['BTC', 'Bitcoin', '비트코인', 91_000, 9_000],
  ['ETH', 'Ethereum', '이더리움', 3_100, 5_200],
  ['USDC', 'USD Coin', '유에스디코인', 1, 2_400],
  ['SOL', 'Solana', '솔라나', 142, 2_100],
  ['XRP', 'XRP', '엑스알피', 2.2, 1_800],
  ['BNB', 'BNB', '비엔비', 890, 900],
  ['DOGE', 'Dogecoin', '도지코인', 0.155, 800],
  ['ADA', 'Cardano', '에이다', 0.47, 420],
  ['TRX', 'TRON', '트론', 0.28, 300],
  ['SUI', 'Sui', '수이', 1.6, 380],
  ['LINK', 'Chainlink', '체인링크', 13.4, 310],
  ['AVAX', 'Avalanche', '아발란체', 14.8, 260],
  ['LTC', 'Litecoin', '라이트코인', 94, 240],
  ['BCH', 'Bitcoin Cash', '비트코인캐시', 520, 180],
  ['DOT', 'Polkadot', '폴카닷', 2.6, 140],
  ['XLM', 'Stellar', '스텔라루멘', 0.25, 130],
  ['NEAR', 'NEAR Protocol', '니어프로토콜', 2.1, 150],
  ['FIL', 'Filecoin', '파일코인', 1.9, 110],
  ['APT', 'Aptos', '앱토스', 2.8, 120],
  ['ATOM', 'Cosmos', '코스모스', 2.9, 70],
  ['ALGO', 'Algorand', '알고랜드', 0.16, 50],
  ['ETC', 'Ethereum Classic', '이더리움클래식', 15.2, 85],
  ['HBAR', 'Hedera', '헤데라', 0.15, 160],
  ['XTZ', 'Tezos', '테조스', 0.56, 25],
]

const consonants = 'BDFGHKLMNPRSTVZ'
const vowels = 'AEIOU'
/** Place of each consonant and vowel among the Hangul initials and medials. */
const initials = [7, 3, 17, 0, 18, 15, 5, 6, 2, 17, 5, 9, 16, 7, 12]
const medials = [0, 5, 20, 8, 13]
const COMBINATIONS = 5_625
/** Coprime to the number of combinations, so that the walk visits each once and neighbours look unlike. */
const STRIDE = 2_749
const taken = new Set(majors.map(([ticker]) => ticker))
const kinds = ['Protocol', 'Network', 'Finance', 'Chain', 'Token', 'Labs'] as const

export interface Name {
  readonly ticker: string
  readonly name: string
  readonly koreanName: string
}

/** Invented names of four letters: different for each `index` below 5,000, and never the ticker of a major. */
export function inventedName(index: number): Name {
  let place = (index * STRIDE) % COMBINATIONS
  // The few places whose letters spell a major lead to places beyond those that indices reach.
  for (let moved = 0; taken.has(lettersOf(place).ticker); moved += 1) {
    place = ((COMBINATIONS - 1 - moved) * STRIDE) % COMBINATIONS
  }
  const { ticker, koreanName } = lettersOf(place)
  const title = ticker.charAt(0) + ticker.slice(1).toLowerCase()
  return { ticker, name: `${title} ${kinds[index % kinds.length] ?? ''}`, koreanName }
}

function lettersOf(place: number): { ticker: string; koreanName: string } {
  let rest = place
  let ticker = ''
  let koreanName = ''
  for (let syllable = 0; syllable < 2; syllable += 1) {
    const consonant = rest % consonants.length
    rest = Math.floor(rest / consonants.length)
    const vowel = rest % vowels.length
    rest = Math.floor(rest / vowels.length)
    ticker += consonants.charAt(consonant) + vowels.charAt(vowel)
    koreanName += String.fromCharCode(0xac00 + ((initials[consonant] ?? 0) * 21 + (medials[vowel] ?? 0)) * 28)
  }
  return { ticker, koreanName }
}
