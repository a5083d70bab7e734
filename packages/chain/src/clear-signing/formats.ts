import type { Format } from './descriptor.ts'

/** Location of a value. Some formats use it to refer to siblings of the value. */
export interface Place {
  /** Path of the struct that contains the value, with a final dot; empty at the top. */
  readonly prefix: string
  /** Params that name the token of an amount. */
  readonly token: Readonly<Record<string, string>>
}

const address =
  (label: string, ...types: readonly string[]) =>
  (): Format => ({
    label,
    format: 'addressName',
    params: { types, sources: ['local', 'ens'] },
  })
const amount =
  (label: string, params: Readonly<Record<string, string>> = {}) =>
  ({ token }: Place): Format => ({ label, format: 'tokenAmount', params: { ...token, ...params } })
const time = (label: string) => (): Format => ({ label, format: 'date', params: { encoding: 'timestamp' } })
const raw = (label: string) => (): Format => ({ label, format: 'raw' })

/** The format of each member of the terms and each argument of a call, by its name. */
export const formats = {
  // Terms, signed and passed to the factory.
  mandateId: raw('Mandate'),
  owner: address('Owner', 'wallet', 'eoa', 'contract'),
  agent: address('Agent', 'wallet', 'eoa', 'contract'),
  feeRecipient: address('Fee goes to', 'wallet', 'eoa', 'contract'),
  usdc: () => ({ label: 'Token', format: 'tokenTicker' }),
  legGateway: address('Leg gateway', 'contract'),
  budget: amount('Budget'),
  perTxCap: amount('Per-transaction cap'),
  dailyCap: amount('Daily cap (UTC day)'),
  // The largest value means that no call needs approval. Real amounts stay far below half of it.
  approvalAbove: amount('Held above', {
    threshold: '0x80000000000000000000000000000000',
    message: 'nothing is held',
  }),
  stopLine: amount('Stop line (0 is off)'),
  legBudget: amount('Leg budget'),
  endsAt: time('Ends at'),
  feeBps: () => ({ label: 'Fee of the profit', format: 'unit', params: { base: '%', decimals: 2 } }),
  mandateIdHash: raw('Hash of the mandate'),
  clausesHash: raw('Hash of the clauses'),
  selector: raw('Function'),
  number: raw('Clause'),
  text: raw('Text'),
  // Arguments of calls.
  target: address('Contract', 'contract'),
  data: ({ prefix }) => ({ label: 'Call', format: 'calldata', params: { calleePath: `${prefix}target` } }),
  approveAmount: amount('Spend at most'),
  amount: amount('Amount'),
  worth: amount('Worth'),
  asOf: time('As of'),
  agent_: address('Agent', 'wallet', 'eoa', 'contract'),
  token: () => ({ label: 'Token', format: 'tokenTicker' }),
  last: raw('Ends the leg'),
  k: address('Keeper', 'wallet', 'eoa', 'contract'),
  newOwner: address('New admin', 'wallet', 'eoa', 'contract'),
} as const satisfies Readonly<Record<string, (place: Place) => Format>>

/** Labels of the elements of arrays. */
export const groupLabels = { calls: 'Allowed function', clauses: 'Clause' } as const

/** What each call does, as a wallet shows it; `{name}` is replaced by the formatted value. */
export const intents = {
  createVault: { intent: 'Create the vault of a mandate' },
  setKeeper: { intent: 'Set the keeper of all vaults', interpolatedIntent: 'Set {k} as the keeper of all vaults' },
  transferOwnership: { intent: 'Offer the admin role', interpolatedIntent: 'Offer the admin role to {newOwner}' },
  acceptOwnership: { intent: 'Accept the admin role' },
  renounceOwnership: { intent: 'Renounce the admin role for ever' },
  execute: {
    intent: 'Call an allowed contract through the vault',
    interpolatedIntent: 'Call {target} through the vault, spending at most {approveAmount}',
  },
  unwind: {
    intent: 'Close a position through the vault',
    interpolatedIntent: 'Close a position at {target} through the vault',
  },
  deposit: { intent: 'Deposit into the vault', interpolatedIntent: 'Deposit {amount} into the vault' },
  revokeAgent: { intent: 'Pause: revoke the right of the agent to act' },
  setAgent: { intent: 'Resume: let an agent act', interpolatedIntent: 'Let {agent_} act within the limits' },
  stop: { intent: 'Stop the vault for good' },
  withdrawAll: { intent: 'Withdraw all money of the vault to its owner' },
  settle: { intent: 'Settle the vault and fix its fee' },
  claimFee: { intent: 'Pay the fee to its recipient' },
  rescue: { intent: 'Move a foreign token out to the owner', interpolatedIntent: 'Move all {token} out to the owner' },
  markWorth: { intent: 'Report the worth of the vault', interpolatedIntent: 'Report a worth of {worth} as of {asOf}' },
  fundLeg: { intent: 'Send money to the leg', interpolatedIntent: 'Send {amount} to the leg' },
  onLegReturn: { intent: 'Return money from the leg', interpolatedIntent: 'Return {amount} from the leg' },
} as const satisfies Readonly<Record<string, { intent: string; interpolatedIntent?: string }>>
