import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { CLOSED_POLICY } from '@svc/contracts/identity/policy'
import { linkNonceUnknown, linkSignatureInvalid } from '@svc/contracts/identity/wallets'
import type { FakeClock, PeerAnswers } from '@svc/testing'
import { getAddress, isAddress, recoverMessageAddress, type Address, type Hex } from 'viem'

interface Open {
  readonly accountId: number
  readonly wallet: Address
  readonly message: string
  readonly until: number
}

const LIFE_MS = 300_000

/** identity as hl-trade needs it: the owners of agents, and messages that link a wallet, each for one use. */
export function answerAsIdentity({
  clock,
  pairs,
}: {
  readonly clock: FakeClock
  readonly pairs: ReadonlyMap<number, number>
}): PeerAnswers {
  const open = new Set<Open>()
  let made = 0
  return {
    readAgents: ({ agent_ids }: { agent_ids: number[] }) => ({
      agents: agent_ids.map((agent_id) => agentOf(agent_id, pairs.get(agent_id) ?? null)),
    }),
    requestLinkNonce: ({ account_id, wallet_address }: { account_id: number; wallet_address: Address }) => {
      if (!isAddress(wallet_address))
        refuse(common.invalidRequest, undefined, {}, [
          { pointer: '/wallet_address', code: 'checksum', detail: 'the checksum does not fit' },
        ])
      made += 1
      const nonce = made.toString(36).padStart(22, '0')
      const wallet = getAddress(wallet_address)
      const until = clock.now().getTime() + LIFE_MS
      const message = messageOf({ wallet, accountId: account_id, nonce, issued: clock.now(), until })
      open.add({ accountId: account_id, wallet, message, until })
      return { nonce, message, expires_at: new Date(until).toISOString() }
    },
    redeemLinkNonce: async (asked: { account_id: number; signature: Hex; close: boolean }) => {
      const own = [...open].filter(
        ({ accountId, until }) => accountId === asked.account_id && until > clock.now().getTime(),
      )
      if (own.length === 0) refuse(linkNonceUnknown)
      for (const one of own) {
        if ((await signerOf(one.message, asked.signature)) !== one.wallet) continue
        if (asked.close) open.delete(one)
        return { wallet_address: one.wallet }
      }
      return refuse(linkSignatureInvalid)
    },
  }
}

/** An EIP-4361 message as identity writes it. */
const messageOf = (of: {
  readonly wallet: Address
  readonly accountId: number
  readonly nonce: string
  readonly issued: Date
  readonly until: number
}) =>
  [
    'svc.example wants you to sign in with your Ethereum account:',
    of.wallet,
    '',
    `Link the account of this wallet at the venue to account ${of.accountId} here, which can then prepare orders for it. This signature moves no money and approves no key.`,
    '',
    'URI: https://svc.example',
    'Version: 1',
    'Chain ID: 1',
    `Nonce: ${of.nonce}`,
    `Issued At: ${of.issued.toISOString()}`,
    `Expiration Time: ${new Date(of.until).toISOString()}`,
  ].join('\n')

const signerOf = (message: string, signature: Hex): Promise<string | null> =>
  recoverMessageAddress({ message, signature }).catch(() => null)

const agentOf = (agent_id: number, owner_id: number | null) => ({
  agent_id,
  name: `Agent ${agent_id}`,
  wallet: `0x${'00'.repeat(19)}01`,
  owner: owner_id === null ? null : { owner_id, wallet: `0x${'00'.repeat(19)}02` },
  policy: CLOSED_POLICY,
  access_ends_at: null,
  last_seen_at: null,
  channel: null,
})
