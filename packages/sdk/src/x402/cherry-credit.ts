/** An entry of `accepts` in x402, as far as the scheme reads it. */
export interface CherryRequirements {
  readonly scheme: string
  readonly network: string
  readonly asset: string
  /** Cherry, a whole number. */
  readonly amount: string
  readonly payTo: string
  readonly extra: Readonly<Record<string, unknown>>
}

/** Network under which the scheme is registered: the ledger of the platform. */
export const CHERRY_NETWORK = 'svc:ledger'
/** What the spend controls of a client name to allow Cherry, and to limit it. */
export const CHERRY_ASSET = 'cherry'

const AMOUNT = /^[1-9]\d{0,15}$/
const OFFER = /^ofr_[a-z0-9]{20}$/

const unpayable = (why: string) => new Error(`this offer is not one of cherry-credit: ${why}`)

/**
 * The scheme `cherry-credit` of x402 (version 2) for clients: pays reads with the Cherry of the account whose key the
 * request carries. Nothing is signed, since the key identifies the payer; a payment names the offer that it accepts.
 * Imports nothing, so that the file can be copied.
 *
 * @example
 * const client = new x402Client()
 *   .register(CHERRY_NETWORK, new CherryCredit())
 *   .setSpendControls({ allowedAssets: [{ network: CHERRY_NETWORK, asset: CHERRY_ASSET, maxAmountPerPayment: '50' }] })
 * const pay = wrapFetchWithPayment(fetch, client)
 * const answer = await pay(url, { headers: { 'X-SVC-User-Key': key } })
 */
export class CherryCredit {
  readonly scheme = 'cherry-credit'

  /** Returns the payment of an offer; rejects what is not an offer of this scheme, or is above the limit of the client. */
  async createPaymentPayload(
    x402Version: number,
    { scheme, network, asset, amount, payTo, extra }: CherryRequirements,
    { maxAmountPerPayment }: { readonly maxAmountPerPayment?: string } = {},
  ): Promise<{ x402Version: number; payload: { offer_id: string } }> {
    if (x402Version !== 2) throw unpayable(`version ${x402Version} of x402, use 2`)
    if (scheme !== this.scheme || network !== CHERRY_NETWORK || asset !== CHERRY_ASSET)
      throw unpayable(`${scheme} on ${network} in ${asset}`)
    if (payTo !== 'svc:revenue') throw unpayable(`it pays ${payTo}`)
    if (!AMOUNT.test(amount)) throw unpayable(`the amount ${amount} is no whole number of Cherry`)
    if (maxAmountPerPayment !== undefined && BigInt(amount) > BigInt(maxAmountPerPayment))
      throw unpayable(`${amount} Cherry are above the limit of ${maxAmountPerPayment}`)
    const offerId = extra['offer_id']
    if (typeof offerId !== 'string' || !OFFER.test(offerId)) throw unpayable('it has no offer_id')
    return { x402Version, payload: { offer_id: offerId } }
  }
}
