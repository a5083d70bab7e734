import { SettingError } from '@svc/contract'
import { type Address, keccak256, serializeTransaction } from 'viem'
import { type Signer, SignerOutage, type UnsignedTransaction } from './signer.ts'

/** A custodial account at Coinbase CDP and what opens it. */
export interface CdpAccount {
  readonly address: Address
  readonly url: string
  readonly apiKeyId: string
  readonly apiKeySecret: string
  readonly walletSecret: string
}

const TIMEOUT_MS = 20_000

/**
 * Signs by the API of Coinbase CDP, through its SDK. Rejects with `SettingError` when a secret cannot be one. Nothing is
 * reported to Coinbase but the requests themselves.
 */
export async function cdpSigner(account: CdpAccount): Promise<Signer> {
  // The SDK tells a statistics service of each call and error unless these say otherwise.
  process.env['DISABLE_CDP_ERROR_REPORTING'] = 'true'
  process.env['DISABLE_CDP_USAGE_TRACKING'] = 'true'
  await checkSecrets(account)
  // Loaded only by those who use it: it costs half a second and 90 MB.
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

/** The same transaction has the same key, so that a repeated request is answered with the first signature. */
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
      throw new SettingError(`${name} is not a secret of Coinbase CDP: copy it anew from its portal.`)
    })
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Status and machine word only: what a client library puts into its errors may hold the request with its tokens. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure'
  const member = (name: string) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'number' || (typeof value === 'string' && /^[a-z0-9_]{1,60}$/.test(value)) ? value : null
  }
  return [error.name.slice(0, 40), member('statusCode'), member('errorType')].filter((part) => part !== null).join(' ')
}
