import { unifiedCash, isUnified } from './modes.ts'
import { type Account, accountOf, now, num, type State, text, touchAccount } from './state.ts'
import { hashOf } from './trade.ts'
import { add, amountFault, note, UNIFIED, USDC_TOKEN } from './transfers.ts'

interface Token {
  readonly name: string
  readonly index: number
  readonly szDecimals: number
  readonly tokenId: string
}
const USDC: Token = { name: 'USDC', index: 0, szDecimals: 8, tokenId: USDC_TOKEN.slice(5) }
const HYPE: Token = { name: 'HYPE', index: 150, szDecimals: 2, tokenId: '0x0d01dc56dcaaca66ad901c959b4011ec' }
const TOKENS = [USDC, HYPE]
/** Pairs against USDC; the name is the one of fills. */
const PAIRS = [{ name: '@107', index: 107, base: HYPE }]

export const spotMeta = {
  tokens: TOKENS.map((token) => ({
    ...token,
    weiDecimals: 8,
    isCanonical: token === USDC,
    evmContract: null,
    fullName: null,
    deployerTradingFeeShare: '0.0',
  })),
  universe: PAIRS.map(({ name, index, base }) => ({
    tokens: [base.index, USDC.index],
    name,
    index,
    isCanonical: false,
  })),
}

/** Balances of an account in spot; USDC is always listed. */
export function spotState(state: State, account: Account) {
  const unified = isUnified(account) ? unifiedCash(state, account) : null
  return {
    balances: [
      {
        coin: 'USDC',
        token: USDC.index,
        total: text(unified?.total ?? account.spot),
        hold: text(unified?.hold ?? 0),
        entryNtl: '0',
      },
      ...Object.entries(account.tokens ?? {}).map(([coin, { total, entryNtl }]) => ({
        coin,
        token: TOKENS.find(({ name }) => name === coin)?.index ?? 0,
        total,
        hold: '0',
        entryNtl,
      })),
    ],
  }
}

/** Adds to the balance of a token other than USDC; the part of its cost goes with what leaves. */
function addToken(account: Account, name: string, amount: string, cost: string): void {
  const was = account.tokens?.[name] ?? { total: '0', entryNtl: '0' }
  const total = num(was.total).plus(amount)
  const entryNtl = num(amount).isNegative()
    ? num(was.entryNtl).times(total).div(was.total)
    : num(was.entryNtl).plus(cost)
  account.tokens = { ...account.tokens, [name]: { total: text(total), entryNtl: text(entryNtl) } }
  if (total.isZero()) delete account.tokens[name]
}

/** Sends a token from spot to the spot of another account. Returns the venue's refusal, or null. */
export function spotSend(
  state: State,
  user: string,
  action: { destination: string; token: string; amount: string; time: number },
): string | null {
  const payer = accountOf(state, user)
  if (isUnified(payer)) return UNIFIED
  const token = TOKENS.find(({ name, tokenId }) => action.token === `${name}:${tokenId}`)
  if (token === undefined) return 'Invalid token'
  const fault = amountFault(action.amount)
  if (fault !== null) return fault
  const isNew = state.accounts[action.destination] === undefined
  const fee = isNew ? 1 : 0
  const held = token === USDC ? num(payer.spot) : num(payer.tokens?.[token.name]?.total ?? 0)
  const needed = token === USDC ? num(action.amount).plus(fee) : num(action.amount)
  if (needed.gt(held)) return 'Insufficient balance for token transfer'
  if (token !== USDC && num(payer.spot).lt(fee)) return 'Insufficient USDC balance for token transfer gas.'
  const payee = touchAccount(state, action.destination)
  const worth = token === USDC ? num(action.amount) : num(action.amount).times(hypePrice(state))
  if (token === USDC) {
    add(payer, 'spot', text(num(action.amount).neg()))
    add(payee, 'spot', action.amount)
  } else {
    addToken(payer, token.name, text(num(action.amount).neg()), '0')
    addToken(payee, token.name, action.amount, text(worth))
  }
  add(payer, 'spot', -fee)
  state.house.cash = text(num(state.house.cash).plus(fee), 20)
  const delta = {
    type: 'spotTransfer',
    token: token.name,
    amount: text(action.amount),
    usdcValue: text(worth),
    user,
    destination: action.destination,
    fee: text(fee),
    nativeTokenFee: '0.0',
    nonce: action.time,
    feeToken: fee === 0 ? '' : 'USDC',
  }
  const hash = hashOf('spotSend', user, action.time)
  note(state, user, delta, hash)
  if (action.destination !== user) note(state, action.destination, delta, hash)
  return null
}

const hypePrice = (state: State): string => state.dexes[0]?.markets.find(({ name }) => name === HYPE.name)?.mark ?? '0'

export interface SpotFill {
  readonly address: string
  readonly coin: string
  readonly side: 'A' | 'B'
  readonly px: string
  readonly sz: string
  readonly fee: string
  /** Coin of the fee: the token that a purchase brings, or USDC. */
  readonly feeToken: string
}

/** Books an execution in spot with the house as its other side. For the control plane. */
export function spotFill(state: State, given: SpotFill): void {
  const pair = PAIRS.find(({ name }) => name === given.coin)
  if (pair === undefined) throw new Error(`no pair ${given.coin}`)
  const account = touchAccount(state, given.address)
  const { name } = pair.base
  const before = account.tokens?.[name]?.total ?? '0'
  const isBuy = given.side === 'B'
  const cost = num(given.px).times(given.sz)
  const usdc = (isBuy ? cost.neg() : cost).minus(given.feeToken === 'USDC' ? given.fee : 0)
  const tokens = (isBuy ? num(given.sz) : num(given.sz).neg()).minus(given.feeToken === name ? given.fee : 0)
  if (num(account.spot).plus(usdc).isNegative()) throw new Error('not enough USDC in spot')
  if (num(before).plus(tokens).isNegative()) throw new Error(`not enough ${name} in spot`)
  add(account, 'spot', text(usdc))
  state.house.cash = text(num(state.house.cash).minus(text(usdc)), 20)
  addToken(account, name, text(tokens), text(cost))
  const tid = state.nextTid++
  account.fills.unshift({
    coin: given.coin,
    px: text(given.px),
    sz: text(given.sz),
    side: given.side,
    time: now(state),
    startPosition: before,
    dir: isBuy ? 'Buy' : 'Sell',
    closedPnl: '0.0',
    hash: hashOf('fill', tid),
    oid: state.nextOid++,
    crossed: true,
    fee: text(given.fee),
    tid,
    feeToken: given.feeToken,
    twapId: null,
    cloid: null,
  })
}
