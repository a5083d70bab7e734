import { type Account, type Dex, now, type Num, num, type State, text } from './state.ts'

/** Rates without any discount, of the notional. */
const BASE = { cross: '0.00045', add: '0.00015', spotCross: '0.0007', spotAdd: '0.0004' }
type Rates = typeof BASE

/** Rates by the notional of the 14 days before today. */
const VIP: readonly ({ readonly ntlCutoff: string } & Rates)[] = [
  { ntlCutoff: '5000000.0', cross: '0.0004', add: '0.00012', spotCross: '0.0006', spotAdd: '0.0003' },
  { ntlCutoff: '25000000.0', cross: '0.00035', add: '0.00008', spotCross: '0.0005', spotAdd: '0.0002' },
  { ntlCutoff: '100000000.0', cross: '0.0003', add: '0.00004', spotCross: '0.0004', spotAdd: '0.0001' },
  { ntlCutoff: '500000000.0', cross: '0.00028', add: '0.0', spotCross: '0.00035', spotAdd: '0.0' },
  { ntlCutoff: '2000000000.0', cross: '0.00026', add: '0.0', spotCross: '0.0003', spotAdd: '0.0' },
  { ntlCutoff: '7000000000.0', cross: '0.00024', add: '0.0', spotCross: '0.00025', spotAdd: '0.0' },
]
/** Rates of makers by their share of all notional of the 14 days before today. */
const MAKERS = [
  { makerFractionCutoff: '0.005', add: '-0.00001' },
  { makerFractionCutoff: '0.015', add: '-0.00002' },
  { makerFractionCutoff: '0.03', add: '-0.00003' },
]
const STAKING = [
  { bpsOfMaxSupply: '0.0', discount: '0.0' },
  { bpsOfMaxSupply: '0.0001', discount: '0.05' },
  { bpsOfMaxSupply: '0.001', discount: '0.1' },
  { bpsOfMaxSupply: '0.01', discount: '0.15' },
  { bpsOfMaxSupply: '0.1', discount: '0.2' },
  { bpsOfMaxSupply: '1.0', discount: '0.3' },
  { bpsOfMaxSupply: '5.0', discount: '0.4' },
]
/** Notional that others trade on this venue each day, beside what the accounts here trade. */
const OTHERS_USDC = '5000000000'
const DAYS = 14
const DAY_MS = 86_400_000

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Adds an execution to the volumes of its account and of the venue. */
export function countTrade(state: State, account: Account, notional: Num, crossed: boolean): void {
  const day = dayOf(now(state))
  const own = ((account.days ??= {})[day] ??= { cross: '0', add: '0' })
  const side = crossed ? 'cross' : 'add'
  own[side] = text(num(own[side]).plus(notional))
  const all = (state.days ??= {})
  all[day] = text(num(all[day] ?? 0).plus(notional))
  account.traded = text(num(account.traded).plus(notional))
}

/** Volumes of today and the 14 days before, oldest first. */
function dailyVolumes(state: State, account: Account) {
  return Array.from({ length: DAYS + 1 }, (_, index) => {
    const date = dayOf(now(state) - (DAYS - index) * DAY_MS)
    const own = account.days?.[date]
    return {
      date,
      userCross: own?.cross ?? '0',
      userAdd: own?.add ?? '0',
      exchange: text(num(OTHERS_USDC).plus(state.days?.[date] ?? 0)),
    }
  })
}

function scheduleOf(state: State, account: Account): Rates {
  if (account.days === undefined) return BASE
  const before = dailyVolumes(state, account).slice(0, -1)
  const sum = (of: (day: (typeof before)[number]) => string) =>
    before.reduce((total, day) => total.plus(of(day)), num(0))
  const made = sum(({ userAdd }) => userAdd)
  const volume = sum(({ userCross }) => userCross).plus(made)
  const tier = VIP.findLast(({ ntlCutoff }) => volume.gt(ntlCutoff)) ?? BASE
  const share = made.div(sum(({ exchange }) => exchange))
  const maker = MAKERS.findLast(({ makerFractionCutoff }) => share.gt(makerFractionCutoff))
  return { ...tier, ...(maker === undefined ? {} : { add: maker.add }) }
}

/** Rates that an account pays on a dex; the rates of a dex state how much more than the main one it takes. */
export function ratesOf(state: State, account: Account, dex: Dex): { readonly cross: Num; readonly add: Num } {
  const rates = scheduleOf(state, account)
  return {
    cross: num(rates.cross).times(dex.takerFee).div(BASE.cross),
    add: num(rates.add).times(dex.makerFee).div(BASE.add),
  }
}

/** Rates of an account on the main dex and in spot, with the schedule that they follow. */
export function feesOf(state: State, account: Account): unknown {
  const { cross, add, spotCross, spotAdd } = scheduleOf(state, account)
  return {
    dailyUserVlm: dailyVolumes(state, account),
    feeSchedule: {
      ...BASE,
      tiers: { vip: VIP, mm: MAKERS },
      referralDiscount: '0.04',
      stakingDiscountTiers: STAKING,
    },
    userCrossRate: cross,
    userAddRate: add,
    userSpotCrossRate: spotCross,
    userSpotAddRate: spotAdd,
    activeReferralDiscount: '0.0',
    trial: null,
    feeTrialEscrow: '0.0',
    nextTrialAvailableTimestamp: null,
    stakingLink: null,
    activeStakingDiscount: { bpsOfMaxSupply: '0.0', discount: '0.0' },
  }
}
