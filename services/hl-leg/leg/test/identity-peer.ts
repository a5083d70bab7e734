import { generateKeyPairSync, sign } from 'node:crypto'
import { ok, refuse, type Contract } from '@svc/contract'
import type { LegReceipt } from '@svc/contracts/hl-leg/order-schemas'
import { identity } from '@svc/contracts/identity'
import { receiptDiffers } from '@svc/contracts/identity/leg-receipts'
import { Outage, startService, type AnyHandler, type RunningService } from '@svc/service'
import type { TestStack } from '@svc/testing'

/** What identity signs receipts with, and what it signed. */
export interface IdentityPeer {
  /** Public keys, as JWKS publishes them. */
  readonly jwks: object
  /** Signed receipts by the id of their order. */
  readonly signed: Map<string, string>
  /** Accounts of the same party, by account; an account that is missing is alone. */
  readonly parties: Map<number, readonly number[]>
  isAway: boolean
}

export function newIdentityPeer() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const peer: IdentityPeer = {
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'test', alg: 'EdDSA' }] },
    signed: new Map(),
    parties: new Map(),
    isAway: false,
  }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signLegReceipt: AnyHandler = async ({ receipt }: { receipt: LegReceipt }) => {
    if (peer.isAway) throw new Outage('test', 'identity is away')
    const content = JSON.stringify(receipt)
    if ((peer.signed.get(receipt.cloid) ?? content) !== content) refuse(receiptDiffers)
    peer.signed.set(receipt.cloid, content)
    const head = { alg: 'EdDSA', typ: 'leg-receipt+json', kid: 'test' }
    const input = `${part(head)}.${part({ ...receipt, signed_at: receipt.resolved_at })}`
    return ok(200, { jws: `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}` })
  }
  const relatedAccounts: AnyHandler = async ({ account_id }: { account_id: number }) => {
    if (peer.isAway) throw new Outage('test', 'identity is away')
    return ok(200, { account_ids: peer.parties.get(account_id) ?? [account_id] })
  }
  const start = (stack: TestStack, contract: Contract): Promise<RunningService> => {
    const silent: AnyHandler = () => Promise.reject(new Error('no part of this test'))
    return startService(
      contract,
      [],
      stack.environmentOf('identity', { SVC_SESSION_SIGNING_KEY: SIGNING_KEY }),
      () => ({
        handlers: {
          ...Object.fromEntries(Object.keys(identity.operations).map((key) => [key, silent])),
          signLegReceipt,
          relatedAccounts,
        },
        jobs: Object.fromEntries(Object.keys(contract.jobs).map((key) => [key, async () => ({ done: 0 })])),
      }),
    )
  }
  return { peer, start }
}

const SIGNING_KEY = Buffer.alloc(32, 7).toString('base64url')
