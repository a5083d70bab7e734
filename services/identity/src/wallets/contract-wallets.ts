import { signatureCheck, takesSignature } from '@svc/chain/signatures'
import { Outage, outSpan } from '@svc/service'
import { BaseError, createPublicClient, ExecutionRevertedError, http, type PublicClient } from 'viem'
import type { Hex } from './rules/signature.ts'
import type { Wallet } from './rules/wallet-address.ts'

/** Suffix of a signature of a wallet that is not deployed yet (ERC-6492). */
const ERC6492_SUFFIX = '6492649264926492649264926492649264926492649264926492649264926492'
const GAS_MAX = 10_000_000n
/** Longest wait for one answer: who signs in is answered within three seconds while the RPC is silent. */
const TIMEOUT_MS = 2_500
/** Concurrent calls to wallets; a further sign-in is an outage, since each may occupy the RPC for a tenth of a second. */
const ASKING_MAX = 8
const CONTRACT_FAILED = /revert|out ?of ?gas|OOG\b|invalid opcode|stack (?:under|over)flow|invalid jump/i

/** Checks signatures of contract wallets. */
export interface ContractWallets {
  /**
   * Whether the contract at `wallet`, or the contract that its ERC-6492 wrapper deploys, accepts the signature.
   * Throws `Outage` if the chain gives no clear answer, which counts neither as accepted nor as rejected.
   */
  accepts(wallet: Wallet, hash: Hex, signature: Hex): Promise<boolean>
}

/** Opens the check against an RPC. The RPC must serve the chain that sign-in messages name. */
export function openContractWallets(rpcUrl: string, chainId: number): ContractWallets {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 0 }) })
  let rightChain = false
  let asking = 0
  const accepts: ContractWallets['accepts'] = async (wallet, hash, signature) => {
    if (!rightChain) {
      const served = await answered(asked('eth_chainId', () => client.getChainId()))
      if (served !== chainId)
        throw new Outage('chain', `the RPC serves chain ${served}, sign-in messages name ${chainId}`)
      rightChain = true
    }
    if (!signature.toLowerCase().endsWith(ERC6492_SUFFIX)) {
      const code = await answered(asked('eth_getCode', () => client.getCode({ address: wallet })))
      if (code === undefined || code === '0x') return false
    }
    return validate(client, wallet, hash, signature)
  }
  return {
    accepts: async (wallet, hash, signature) => {
      if (asking >= ASKING_MAX) throw new Outage('chain', 'too many contract wallets are being asked')
      asking += 1
      try {
        return await accepts(wallet, hash, signature)
      } finally {
        asking -= 1
      }
    },
  }
}

/** Makes a call to the chain part of the running trace. */
const asked = <T>(method: string, ask: () => Promise<T>): Promise<T> =>
  outSpan(`chain ${method}`, { 'rpc.system': 'jsonrpc', 'rpc.method': method }, ask)

/** Runs the validator of ERC-6492 as an undeployed contract, which returns one byte: 1 for a valid signature. */
async function validate(client: PublicClient, wallet: Wallet, hash: Hex, signature: Hex): Promise<boolean> {
  try {
    const data = signatureCheck(wallet, hash, signature)
    const answer = await asked('eth_call', () => client.call({ data, gas: GAS_MAX }))
    return answer.data !== undefined && takesSignature(answer.data)
  } catch (error) {
    // viem's own verifyMessage treats every failed call as an invalid signature, even if the RPC is down.
    if (contractFailed(error)) return false
    throw outage(error)
  }
}

function contractFailed(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  return (
    error.walk(
      (cause) =>
        cause instanceof ExecutionRevertedError ||
        (cause instanceof BaseError && cause.name === 'RpcRequestError' && CONTRACT_FAILED.test(cause.details)),
    ) !== null
  )
}

async function answered<T>(question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    throw outage(error)
  }
}

// The cause is omitted: its text contains the RPC's address, which may contain an access key.
function outage(error: unknown): Outage {
  return new Outage('chain', error instanceof BaseError ? error.shortMessage : 'no answer')
}
