import { expect, test } from 'vitest'
import { recoverTypedDataAddress } from 'viem'
import { pack, type Packed } from './msgpack.ts'
import { actionHash, agentTypedData, makeOrderKey } from './order-key.ts'

const buy = {
  type: 'order',
  orders: [
    {
      a: 1,
      b: true,
      p: '3015',
      s: '0.0099',
      r: false,
      t: { limit: { tif: 'Ioc' } },
      c: '0xc10d0000000000000000000000000001',
    },
  ],
  grouping: 'na',
  builder: { b: '0x8ba1f109551bd432803012645ac136ddd64dba72', f: 100 },
}
const sell = {
  type: 'order',
  orders: [
    {
      a: 110_017,
      b: false,
      p: '123.45',
      s: '12',
      r: true,
      t: { limit: { tif: 'Ioc' } },
      c: '0x00ff0000000000000000000000000002',
    },
  ],
  grouping: 'na',
}

test('an action has the hash that another implementation of the venue’s signing gives it', () => {
  expect(actionHash({ action: buy, nonce: 1_795_446_000_000, expiresAfter: 1_795_446_060_000 })).toBe(
    '0xe093b443400281ec18d7d30dff16c6a3c92570f8c508bfa6dd97b6dc4ef8df56',
  )
  expect(actionHash({ action: sell, nonce: 1_795_446_000_001, expiresAfter: 1_795_446_060_001 })).toBe(
    '0x3b21c58fa31a0d24c17289c08da82c25d2b43918d0470a9324faa34f6444fdc5',
  )
})

test('an action is encoded with the shortest forms, and what is no action is refused', () => {
  const hex = (value: Packed) => Buffer.from(pack(value)).toString('hex')
  expect(hex([0, 127, 128, 255, 256, 65_535, 65_536, 4_294_967_296])).toBe(
    '98007fcc80ccffcd0100cdffffce00010000cf0000000100000000',
  )
  expect(hex({ a: true, b: 'x'.repeat(32) })).toBe(`82a161c3a162d920${'78'.repeat(32)}`)
  expect(() => pack(-1)).toThrow()
  expect(() => pack(1.5)).toThrow()
})

test('the key of the page signs orders under its own address, and gives its secret to nobody', async () => {
  const key = makeOrderKey()
  const order = { action: buy, nonce: 1_795_446_000_000, expiresAfter: 1_795_446_060_000, network: 'testnet' } as const
  const { r, s, v } = await key.signOrder(order)
  const signature = `${r}${s.slice(2)}${v.toString(16)}` as const
  expect(await recoverTypedDataAddress({ ...agentTypedData(order), signature })).toBe(key.address)
  expect(Object.keys(key)).toEqual(['address', 'signOrder'])
  expect(JSON.stringify(key)).toBe(JSON.stringify({ address: key.address }))
  expect(makeOrderKey().address).not.toBe(key.address)
})
