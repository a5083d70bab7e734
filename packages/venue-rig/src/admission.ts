import { approveAgent, approveBuilderFee } from './agents.ts'
import { tick } from './clock.ts'
import { setIsolatedMargin, setLeverage } from './leverage.ts'
import { changeMode } from './modes.ts'
import { BatchRefused, type OrderWire } from './order-faults.ts'
import { placeOrders, type Status, type Together } from './orders.ts'
import { cancelOrders, scheduleCancel } from './resting.ts'
import { spotSend } from './spot.ts'
import { accountOf, type Mode, now, type State } from './state.ts'
import { type AssetMove, sendAsset, usdClassTransfer, usdSend, withdraw } from './transfers.ts'
import type { Read } from './wire.ts'

const DAY_MS = 86_400_000
const REMEMBERED = 100

export type Verdict =
  | { readonly status: 'ok'; readonly response: { type: string; data?: { statuses: Status[] } } }
  | { readonly status: 'err'; readonly response: string }

const ok = (type = 'default'): Verdict => ({ status: 'ok', response: { type } })
const err = (response: string): Verdict => ({ status: 'err', response })
const done = (refusal: string | null): Verdict => (refusal === null ? ok() : err(refusal))

/**
 * Admits a signed action and does it, all at once: nonce window, who signed, nonce seen before, expiry, then the action.
 * An action that is refused after admission has used its nonce.
 */
export function admit(state: State, read: Read, signer: string | null): Verdict {
  tick(state)
  const { nonce, expiresAfter } = read.envelope
  const at = now(state)
  if (nonce <= at - 2 * DAY_MS) return err(`Invalid nonce: nonce too low ${nonce} < ${at - 2 * DAY_MS}`)
  if (nonce >= at + DAY_MS) return err(`Invalid nonce: nonce too high ${nonce} > ${at + DAY_MS}`)
  if (signer === null) return err('Unable to recover signer.')
  const user = read.kind === 'l1' ? userOf(state, signer) : signer
  if (user === null) return err(`User or API Wallet ${signer} does not exist.`)
  if (state.accounts[user] === undefined) return err(`Must deposit before performing actions. User: ${user}`)
  const inner = read.action['nonce'] ?? read.action['time']
  if (typeof inner === 'number' && read.action.type !== 'scheduleCancel' && inner !== nonce)
    return err('Invalid nonce: action nonce differs')
  const refused = takeNonce(state, signer, nonce)
  if (refused !== null) return err(refused)
  if (expiresAfter != null && at > expiresAfter) return err('Action already expired')
  if (read.envelope.vaultAddress != null) return err('Vault not registered')
  try {
    return read.kind === 'l1' ? doL1(state, user, signer, read.action) : doUserSigned(state, user, read.action)
  } catch (error) {
    if (error instanceof BatchRefused) return batchError(read.action, error.message)
    throw error
  }
}

/** The account that a key acts for: its own, or the one that approved it. An agent that expired acts a while longer. */
function userOf(state: State, signer: string): string | null {
  if (state.accounts[signer] !== undefined) return signer
  return state.agents[signer]?.user ?? null
}

/** Remembers a nonce of a signer; refuses one that was seen or that is below the 100 highest. */
function takeNonce(state: State, signer: string, nonce: number): string | null {
  const seen = (state.nonces[signer] ??= [])
  if (seen.includes(nonce)) return `Invalid nonce: duplicate nonce ${nonce}`
  const lowest = seen.at(-REMEMBERED)
  if (lowest !== undefined && nonce < lowest) return `Invalid nonce: nonce too low ${nonce} < ${lowest}`
  seen.push(nonce)
  seen.sort((a, b) => a - b)
  // The lowest remembered one stays the bound, so a forgotten nonce is refused as too low.
  if (seen.length > REMEMBERED) seen.splice(0, seen.length - REMEMBERED)
  return null
}

/** The venue answers a fault of a whole batch inside the results of its first order. */
const batchError = (action: Read['action'], error: string): Verdict => ({
  status: 'ok',
  response: { type: action.type, data: { statuses: [{ error }] } },
})

function doL1(state: State, user: string, signer: string, action: Read['action']): Verdict {
  const statuses = (list: Status[], type = action.type): Verdict => ({
    status: 'ok',
    response: { type, data: { statuses: list } },
  })
  switch (action.type) {
    case 'order':
      return statuses(
        placeOrders(state, user, action['orders'] as OrderWire[], {
          builder: (action['builder'] as Together['builder'] | undefined) ?? null,
          grouping: action['grouping'],
        }),
      )
    case 'cancel':
    case 'cancelByCloid':
      return statuses(cancelOrders(state, user, action['cancels'] as Parameters<typeof cancelOrders>[2]), 'cancel')
    case 'updateLeverage':
      return done(setLeverage(state, user, action as never))
    case 'updateIsolatedMargin':
      return done(setIsolatedMargin(state, user, action as never))
    case 'scheduleCancel':
      return done(scheduleCancel(state, user, action['time'] as number | undefined))
    case 'agentSendAsset':
      return done(sendAsset(state, user, action as unknown as AssetMove, signer !== user))
    case 'agentSetAbstraction':
      return done(setMode(state, user, action['abstraction'] as string, true))
    default:
      return ok()
  }
}

function doUserSigned(state: State, user: string, action: Read['action']): Verdict {
  const given = lowerAddresses(action) as never
  switch (action.type) {
    case 'approveAgent':
      return done(approveAgent(state, user, { agentName: '', ...(given as object) } as never))
    case 'approveBuilderFee':
      return done(approveBuilderFee(state, user, given))
    case 'usdSend':
      return done(usdSend(state, user, given))
    case 'usdClassTransfer':
      return done(usdClassTransfer(state, user, given))
    case 'spotSend':
      return done(spotSend(state, user, given))
    case 'sendAsset':
      return done(sendAsset(state, user, given, false))
    case 'withdraw3':
      return done(withdraw(state, user, given))
    case 'userSetAbstraction':
      return done(
        String(action['user']).toLowerCase() === user
          ? setMode(state, user, action['abstraction'] as string, false)
          : 'Abstraction transition not allowed',
      )
    default:
      return err('Unknown action')
  }
}

const lowerAddresses = (action: Read['action']) =>
  Object.fromEntries(
    Object.entries(action).map(([key, value]) => [
      key,
      typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value,
    ]),
  )

const MODES: Readonly<Record<string, Mode>> = {
  i: 'disabled',
  u: 'unifiedAccount',
  p: 'portfolioMargin',
  disabled: 'disabled',
  unifiedAccount: 'unifiedAccount',
  portfolioMargin: 'portfolioMargin',
}

/** An agent may change the mode of an account that has the default one only. */
function setMode(state: State, user: string, word: string, byAgent: boolean): string | null {
  const account = accountOf(state, user)
  const mode = MODES[word]
  if (mode === undefined) return 'Invalid abstraction'
  if (byAgent && account.mode !== 'default') return 'Abstraction transition not allowed'
  changeMode(state, account, mode)
  return null
}
