import { SettingError } from '@svc/contract'
import { type Address, keccak256, serializeTransaction } from 'viem'
import { type Signer, SignerOutage, type UnsignedTransaction } from './signer.ts'

/** A custodial account at Coinbase CDP with its credentials. */
export interface CdpAccount {
  readonly address: Address
  readonly url: string
  readonly apiKeyId: string
  readonly apiKeySecret: string
  readonly walletSecret: string
}

const TIMEOUT_MS = 20_000

/**
 * Returns a signer that uses the API of Coinbase CDP through its SDK. Rejects with `SettingError` if a secret is malformed.
 * Coinbase receives the requests only, no usage statistics.
 */
export async function cdpSigner(account: CdpAccount): Promise<Signer> {
  // Without these the SDK reports each call and error to a statistics service.
  process.env['DISABLE_CDP_ERROR_REPORTING'] = 'true'
  process.env['DISABLE_CDP_USAGE_TRACKING'] = 'true'
  await checkSecrets(account)
  // Loaded on demand: it costs half a second and 90 MB.
  const { CdpClient } = await import('@coinbase/cdp-sdk')
  const { url: basePath, apiKeyId, apiKeySecret, walletSecret, address } = account
  const { evm } = new CdpClient({ basePath, apiKeyId, apiKeySecret, walletSecret })
  return {
    address,
    sign: async (unsigned) => {
      const transaction = serializeTransaction(unsigned)
      const asked = evm.signTransaction({ address, transaction, idempotencyKey: idempotencyKeyOf(unsigned) })
      try {
        return (await within(TIMEOUT_MS, asked)).signature
      } catch (error) {
        throw new SignerOutage(reasonOf(error))
      }
    },
  }
}

/** Returns the same key for the same transaction, so that a repeated request returns the first signature. */
function idempotencyKeyOf(unsigned: UnsignedTransaction): string {
  const hex = keccak256(serializeTransaction(unsigned)).slice(2)
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

async function checkSecrets({ apiKeyId, apiKeySecret, walletSecret }: CdpAccount): Promise<void> {
  const { generateJwt, generateWalletJwt } = await import('@coinbase/cdp-sdk/auth')
  const request = { requestMethod: 'POST', requestHost: 'host', requestPath: '/path' }
  const checks = [
    ['CDP_API_KEY_SECRET', () => generateJwt({ ...request, apiKeyId, apiKeySecret })],
    ['CDP_WALLET_SECRET', () => generateWalletJwt({ ...request, walletSecret, requestData: {} })],
  ] as const
  for (const [name, check] of checks)
    await check().catch(() => {
      throw new SettingError(`${name} is not a secret of Coinbase CDP: copy it again from its portal.`)
    })
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Returns status and machine-readable code only: errors of a client library may contain the request with its tokens. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure'
  const member = (name: string) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'number' || (typeof value === 'string' && /^[a-z0-9_]{1,60}$/.test(value)) ? value : null
  }
  return [error.name.slice(0, 40), member('statusCode'), member('errorType')].filter((part) => part !== null).join(' ')
}
