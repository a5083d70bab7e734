import { marginOf } from './margin.ts'
import { accountOf, now, type State, ZERO_ADDRESS } from './state.ts'

const DAY_MS = 86_400_000
const LIFE_DAYS = 90
const LIFE_DAYS_MAX = 180
const NAMED_MAX = 3
const BUILDERS_MAX = 10
const BUILDER_MINIMUM_USDC = 100
/** How long the removal of an agent is pending. */
const REMOVAL_MS = 4_000

/** Approves, replaces or removes an agent of an account. Returns the venue's refusal, or null. */
export function approveAgent(
  state: State,
  user: string,
  action: { readonly agentAddress: string; readonly agentName: string },
): string | null {
  const until = / valid_until (\d+)$/.exec(action.agentName)?.[1]
  const name = action.agentName.replace(/ valid_until \d+$/, '')
  const validUntil = until === undefined ? now(state) + LIFE_DAYS * DAY_MS : Number(until)
  const own = agentsOf(state, user)
  const former = own.find((agent) => agent.name === name)
  if ((state.removals[`${user}|${name}`] ?? 0) > now(state)) return 'User has pending agent removal'
  if (action.agentAddress === ZERO_ADDRESS) {
    if (former === undefined) return 'Agent not found'
    delete state.agents[former.address]
    state.removals[`${user}|${name}`] = now(state) + REMOVAL_MS
    return null
  }
  if (validUntil <= now(state) || validUntil > now(state) + LIFE_DAYS_MAX * DAY_MS)
    return 'Agent valid_until already expired.'
  if (state.usedAgents.includes(action.agentAddress) || state.accounts[action.agentAddress] !== undefined)
    return 'Extra agent already used.'
  if (name !== '' && former === undefined && own.filter((agent) => agent.name !== '').length >= NAMED_MAX)
    return `Too many extra agents for cumulative volume traded. Current limit is ${NAMED_MAX}`
  if (former !== undefined) delete state.agents[former.address]
  state.agents[action.agentAddress] = { user, name, validUntil }
  state.usedAgents.push(action.agentAddress)
  return null
}

export const agentsOf = (state: State, user: string) =>
  Object.entries(state.agents)
    .filter(([, agent]) => agent.user === user)
    .map(([address, agent]) => ({ address, ...agent }))

/** Lets a builder charge up to a rate such as `0.1%`. Returns the venue's refusal, or null. */
export function approveBuilderFee(
  state: State,
  user: string,
  action: { readonly builder: string; readonly maxFeeRate: string },
): string | null {
  const account = accountOf(state, user)
  const builder = state.accounts[action.builder]
  const main = state.dexes[0]
  if (builder === undefined || main === undefined || marginOf(builder, main).accountValue.lt(BUILDER_MINIMUM_USDC))
    return 'Builder has insufficient balance to be approved.'
  const rate = /^(\d+(?:\.\d+)?)%$/.exec(action.maxFeeRate)?.[1]
  if (rate === undefined) return 'Invalid builder fee rate'
  const tenthsOfBasisPoint = Math.round(Number(rate) * 1_000)
  const others = Object.keys(account.builders).filter((address) => address !== action.builder).length
  if (others >= BUILDERS_MAX) return 'Too many builders approved'
  account.builders[action.builder] = tenthsOfBasisPoint
  return null
}
