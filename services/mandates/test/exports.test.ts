import { decodeAbiParameters, hexToBigInt, slice, type Hex } from 'viem'
import { sql } from '@svc/postgres'
import { exportStandard } from '@svc/contracts/mandates-exports'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agent, BUY, owner, refusalOf, startRig, VENUE, walletOf, type Rig } from './acting-rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig?.stop())

/** What the tests look at of the documents. */
interface Documents {
  readonly permission: { readonly data: { readonly periodAmount: Hex } }
  readonly caveats: readonly [{ readonly terms: Hex }, { readonly terms: Hex }]
  readonly targets: readonly [
    {
      readonly functions: readonly [
        {
          readonly condition: {
            readonly children: readonly [
              { readonly children: readonly object[] },
              { readonly children: readonly [{ readonly compValue: Hex }] },
            ]
          }
        },
      ]
    },
    object,
  ]
  readonly allowances: readonly [object]
  readonly constraints: readonly {
    readonly type: string
    readonly max?: number
    readonly allowed?: readonly { readonly id: string }[]
  }[]
}

const exported = async (standard: (typeof exportStandard.options)[number]) => {
  const mandate = await rig.newMandate({ limits: { perTxCap: 50_009_999n } })
  const answer = await rig.as(owner(11)).exportMandate({ public_id: mandate.publicId, standard })
  return { ...answer, document: answer.document as unknown as Documents }
}
const END = Date.parse('2026-12-31T00:00:00.000Z') / 1000
const DAY_START = Date.parse('2026-11-21T00:00:00.000Z') / 1000

test('an ERC-7715 request bounds the day by the daily cap, until the end date', async () => {
  const { document } = await exported('erc7715')
  expect(document).toMatchObject({
    chainId: '0x7a69',
    from: walletOf(11),
    to: walletOf(21),
    rules: [{ type: 'expiry', data: { timestamp: END } }],
    permission: { type: 'erc20-token-periodic', data: { periodDuration: 86_400, startTime: DAY_START } },
  })
  expect(hexToBigInt(document.permission.data.periodAmount)).toBe(150_000_000n)
})

test('ERC-7710 caveats decode to the daily cap and the end date', async () => {
  const { document } = await exported('erc7710')
  const [period, time] = document.caveats
  const figures = decodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }],
    slice(period.terms, 20),
  )
  expect(figures).toEqual([150_000_000n, 86_400n, BigInt(DAY_START)])
  expect(hexToBigInt(slice(time.terms, 16, 32))).toBe(BigInt(END))
})

test('a spend permission names account, spender, allowance and period', async () => {
  expect((await exported('spend-permission')).document).toMatchObject({
    account: walletOf(11),
    spender: walletOf(21),
    allowance: '150000000',
    period: 86_400,
    end: END,
  })
})

test('a Zodiac role allows the listed functions, and approvals of the cap to the listed contracts', async () => {
  const { document } = await exported('zodiac-role')
  expect(document.targets[1]).toMatchObject({ address: VENUE, functions: [{ selector: BUY, wildcarded: true }] })
  const [spender, amount] = document.targets[0].functions[0].condition.children
  expect(spender.children).toHaveLength(1)
  expect(hexToBigInt(amount.children[0].compValue)).toBe(50_010_000n)
  expect(document.allowances[0]).toMatchObject({ refill: '150000000', period: 86_400 })
})

test('an AP2 open payment mandate rounds down to cents and names the payees', async () => {
  const { document, coverage, detail, terms_hash } = await exported('ap2')
  expect(document).toMatchObject({ vct: 'mandate.payment.open.1', exp: END })
  const of = (type: string) => document.constraints.find((one) => one.type === type)
  expect(of('payment.amount_range')?.max).toBe(5_000)
  expect(of('payment.budget')?.max).toBe(500)
  expect(of('payment.reference')).toMatchObject({ conditional_transaction_id: terms_hash })
  expect(detail).toContain('no open Checkout Mandate')
  expect(coverage[0]).toMatchObject({ coverage: 'lossy', detail: expect.stringContaining('whole dollars') })
  expect(of('payment.allowed_payees')?.allowed?.[0]?.id).toBe(`eip155:31337:${VENUE}`)
})

test.each(exportStandard.options)('%s says of every clause what it cannot enforce', async (standard) => {
  const { coverage } = await exported(standard)
  expect(coverage.map(({ clause }) => clause)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(coverage.filter(({ clause }) => clause >= 6).map((row) => row.coverage)).toEqual([
    'not_enforced',
    'not_enforced',
    'not_enforced',
  ])
})

test('only a signed mandate is exported, to its owner and agent, in a standard that is known', async () => {
  const mandate = await rig.newMandate()
  const ask = (who = owner(11), standard = 'ap2') =>
    rig.as(who).exportMandate({ public_id: mandate.publicId, standard: standard as 'ap2' })
  expect(await ask(agent(21))).toMatchObject({ standard: 'ap2' })
  expect(await refusalOf(ask(owner(12)))).toMatchObject({ code: 'unknown_mandate' })
  expect(await refusalOf(ask(owner(11), 'erc1'))).toMatchObject({ code: 'invalid_request' })
  const unsigned = await rig.newMandate({ unsigned: true })
  expect(
    await refusalOf(rig.as(owner(11)).exportMandate({ public_id: unsigned.publicId, standard: 'ap2' })),
  ).toMatchObject({
    code: 'hub_wrong_state',
  })
  expect(await rig.pool.exists(sql.unsafe`SELECT 1 FROM signed_terms WHERE mandate_id = ${unsigned.id}`)).toBe(false)
})
