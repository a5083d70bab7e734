import { openLog } from '@svc/service'
import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openOrderSigner } from '#account/open-order-signer.ts'
import { ownAccountOf } from '#account/own-account.ts'
import { allRows, expectNowhere, listener } from '@svc/testing/seed-hunt'
import { owner, ownerWallet, signTypedData, startTradeRig } from '../rig.ts'

const SEED = 'decafbad5eed'.padEnd(64, '9b')
const lines: string[] = []
const rig = opened(() =>
  startTradeRig({
    environment: { SVC_TRADE_AGENT_SEED: SEED },
    log: openLog('hl-trade', 'debug', { write: (line) => void lines.push(line) }),
  }),
)

test('the seed and the derived order keys occur in no log, row, answer, request or error', async () => {
  const { told, ask } = listener()
  const as = rig.as(owner(1))
  await ask(() => rig.link(1))
  await ask(() => rig.enable(1))
  for (const kind of ['status500', 'truncated', 'wrong-type', 'drop']) {
    rig.venue.control('fault', { kind, endpoint: 'info', count: 3 })
    for (const call of [as.readOwnStatus, as.verifyApprovals, as.recordBuilderFee]) await ask(() => call({}))
    await ask(() => rig.run('watchOrderKeys'))
    rig.venue.control('clear-faults', {})
  }
  rig.fund(2)
  const offer = (await rig.link(2)).approvals.order_key
  const nonce = offer?.nonce ?? 0
  await ask(async () =>
    rig.as(owner(2)).relayApproval({ signature: await signTypedData(ownerWallet(1), offer?.typed_data ?? {}), nonce }),
  )
  await ask(() => rig.as(owner(2)).relayApproval({ signature: `0x${SEED}`, nonce }))
  rig.advance(1_800_000)
  await ask(() => rig.run('watchOrderKeys'))
  const account = await ownAccountOf(rig.context, 1)
  if (account === null) throw new Error('the account is linked')
  const signer = openOrderSigner(rig.context, account)
  const order = { asset: 0, side: 'buy', price: '61000', size: '0.001', reduceOnly: false } as const
  await ask(() => rig.pool.transaction((tx) => signer.signOrder(tx, { ...order, cloid: `0x${'1'.repeat(32)}` })))
  await ask(() => rig.pool.transaction((tx) => signer.signOrder(tx, { ...order, cloid: '0x1' })))
  await ask(() => rig.restart({ SVC_TRADE_AGENT_SEED: `${SEED}ff` }))
  await rig.restart({})
  await ask(() => as.readOwnStatus({}))

  const ids = await rig.pool.anyFirst(sql.type(z.object({ link_id: z.string() }))`SELECT link_id FROM own_account`)
  expect(ids).toHaveLength(2)
  expect(lines.length).toBeGreaterThan(5)
  expect(JSON.stringify(told)).toContain('SVC_TRADE_AGENT_SEED')
  expectNowhere({ seed: SEED, salt: 'svc/hl-trade/v1' }, ids, {
    logs: lines.join(''),
    rows: await allRows(rig.stack.databaseOf('hl-trade').superuserUrl, 'hl_trade'),
    answers: JSON.stringify(told),
    venue: JSON.stringify(rig.venue.state),
    asked: JSON.stringify(Object.values(rig.peers).map(({ asked }) => asked)),
    context: JSON.stringify(rig.context.settings),
  })
})
