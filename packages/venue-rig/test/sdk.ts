import { ExchangeClient, HttpTransport, InfoClient } from '@nktkas/hyperliquid'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startVenueRig, type VenueRig } from '../src/index.ts'

/** A venue with the SDK of another author, unmodified. */
export async function startSdk() {
  const rig: VenueRig = await startVenueRig()
  const transport = new HttpTransport({ isTestnet: true, apiUrl: rig.url })
  const info = new InfoClient({ transport })
  const clientOf = (wallet: ReturnType<typeof privateKeyToAccount>) => new ExchangeClient({ transport, wallet })
  return {
    rig,
    info,
    clientOf,
    /** A wallet with so much USDC on the main dex. */
    funded: (amount = '1000') => {
      const wallet = privateKeyToAccount(generatePrivateKey())
      rig.control('fund', { address: wallet.address, amount })
      return { wallet, user: wallet.address, client: clientOf(wallet) }
    },
    /** Values by which tests judge an account, as numbers. */
    cashOf: async (user: `0x${string}`, dex = '') => {
      const { marginSummary, withdrawable } = await info.clearinghouseState({ user, dex })
      const usdc = (await info.spotClearinghouseState({ user })).balances.find(({ coin }) => coin === 'USDC')
      return {
        value: Number(marginSummary.accountValue),
        used: Number(marginSummary.totalMarginUsed),
        withdrawable: Number(withdrawable),
        spot: Number(usdc?.total),
        hold: Number(usdc?.hold),
      }
    },
  }
}

/** An order that takes at once what the book has up to its price. */
export const ioc = (asset: number, buy: boolean, price: string, size: string, reduceOnly = false) => ({
  orders: [{ a: asset, b: buy, p: price, s: size, r: reduceOnly, t: { limit: { tif: 'Ioc' as const } } }],
  grouping: 'na' as const,
})

export const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
export const newWallet = () => privateKeyToAccount(generatePrivateKey())
