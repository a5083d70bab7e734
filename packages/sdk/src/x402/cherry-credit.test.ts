import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { expect, test } from 'vitest'
import { CherryCredit, CHERRY_ASSET, CHERRY_NETWORK } from './cherry-credit.ts'

const offer = {
  scheme: 'cherry-credit',
  network: CHERRY_NETWORK,
  asset: CHERRY_ASSET,
  amount: '20',
  payTo: 'svc:revenue',
  maxTimeoutSeconds: 60,
  extra: { offer_id: `ofr_${'1'.repeat(20)}`, resource_hash: 'a'.repeat(64) },
}
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')

type Controls = Parameters<x402Client['setSpendControls']>[0]

/** A client of a server that demands `offered`, and the payments that the server received. */
function clientOf(offered: object, controls: Controls) {
  const requests: (string | null)[] = []
  const demanded = base64({ x402Version: 2, error: 'pay', resource: { url: 'http://x/' }, accepts: [offered] })
  const server: typeof fetch = async (input) => {
    requests.push((input as Request).headers.get('payment-signature'))
    return requests.at(-1) === null
      ? new Response('{}', { status: 402, headers: { 'payment-required': demanded } })
      : Response.json({ read: true })
  }
  const client = new x402Client().register(CHERRY_NETWORK, new CherryCredit())
  client.setSpendControls(controls)
  return { requests, pay: wrapFetchWithPayment(server, client) }
}
const limited = (maxAmountPerPayment: string): Controls => ({
  allowedAssets: [{ network: CHERRY_NETWORK, asset: CHERRY_ASSET, maxAmountPerPayment }],
})

test('an unmodified x402 client pays an offer up to the limit that its user set, by naming the offer', async () => {
  const { pay, requests } = clientOf(offer, limited('20'))
  expect(await (await pay('http://x/')).json()).toEqual({ read: true })
  expect(requests).toHaveLength(2)
  expect(JSON.parse(Buffer.from(requests[1] ?? '', 'base64').toString('utf8'))).toMatchObject({
    x402Version: 2,
    accepted: offer,
    payload: { offer_id: offer.extra.offer_id },
  })
})

test('nothing is paid above the limit, without leave to spend Cherry, or for an offer of another form', async () => {
  const declined: readonly [object, Controls][] = [
    [offer, limited('19')],
    [offer, {}],
    [{ ...offer, asset: 'usdc' }, false],
    [{ ...offer, payTo: 'somebody' }, false],
    [{ ...offer, amount: '2.5' }, false],
    [{ ...offer, amount: '0' }, false],
    [{ ...offer, extra: {} }, false],
    [{ ...offer, extra: { offer_id: 'ofr_1' } }, false],
  ]
  for (const [offered, controls] of declined) {
    const { pay, requests } = clientOf(offered, controls)
    await expect(pay('http://x/')).rejects.toThrow('payment')
    expect(requests).toEqual([null])
  }
  await expect(new CherryCredit().createPaymentPayload(1, offer)).rejects.toThrow('version 1')
  await expect(new CherryCredit().createPaymentPayload(2, offer, { maxAmountPerPayment: '19' })).rejects.toThrow(
    'limit of 19',
  )
})
