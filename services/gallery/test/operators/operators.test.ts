import { randomUUID } from 'node:crypto'
import { opened, refusalOf } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { admin, startGalleryRig } from '../rig.ts'
import { knowAgents, newOperator } from '../sellers.ts'

const rig = opened(() => startGalleryRig())
const as = (id = 1) => rig.as(admin(id))

describe('operators', () => {
  test('an admin makes an agent an operator with a vault of its own, once for a key', async () => {
    knowAgents(rig)
    const input = { agent_id: 11, kind: 'signal', title: 'Night watch' } as const
    const idempotencyKey = randomUUID()
    const [first, again] = [
      await rig.as(admin(1), { idempotencyKey }).addOperator(input),
      await rig.as(admin(1), { idempotencyKey }).addOperator(input),
    ]
    expect(again).toEqual(first)
    expect(first.operator).toMatchObject({ ...input, house: false, source: 'admin', ended_at: null })
    expect(await refusalOf(as().addOperator(input))).toMatchObject({
      code: 'operator_exists',
      operator_id: first.operator.operator_id,
    })
    const second = await as().addOperator({ ...input, title: 'Day watch' })
    expect(second.operator.vault_id).not.toBe(first.operator.vault_id)
    const page = await as().listOperatorEntries({ limit: 1 })
    expect(page.items).toEqual([first.operator])
    const next = await as().listOperatorEntries({ limit: 1, cursor: page.next_cursor ?? '' })
    expect(next).toEqual({ items: [second.operator], next_cursor: null })
  })

  test('an agent that does not exist becomes no operator', async () => {
    expect(await refusalOf(as().addOperator({ agent_id: 9_999, kind: 'signal', title: 'x' }))).toMatchObject({
      status: 404,
      code: 'unknown_agent',
    })
  })

  test('an admin ends an operator once, and its row stays', async () => {
    const { operator_id } = await newOperator(rig, 12)
    const first = await as(2).removeOperator({ operator_id })
    rig.clock.advance(1_000)
    expect(await as(3).removeOperator({ operator_id })).toEqual(first)
    expect(first.operator.ended_at).not.toBeNull()
    expect(await refusalOf(as().removeOperator({ operator_id: `opr_${'z'.repeat(20)}` }))).toMatchObject({
      status: 404,
      code: 'unknown_operator',
    })
  })

  test('a listed wallet makes its agent an operator, and a wallet that leaves the list ends it', async () => {
    const wallets = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`]
    rig.peers.identity.answers['findAgentsByWallet'] = ({ wallets: asked }: { wallets: string[] }) => ({
      agents: asked.map((wallet) => ({ agent_id: Number(wallet.at(-1)) + 20, wallet, name: 'Scout' })),
    })
    const ofWallets = async () =>
      (await as().listOperatorEntries({})).items.filter(({ source }) => source === 'wallets')
    await rig.restart({ SVC_OPERATOR_WALLETS: wallets.join(',') })
    expect(await rig.run('followOperatorWallets')).toMatchObject({ added: 2, ended: 0 })
    expect(await rig.run('followOperatorWallets')).toMatchObject({ done: 0 })
    expect((await ofWallets()).map(({ agent_id }) => agent_id)).toEqual([21, 22])
    await rig.restart({ SVC_OPERATOR_WALLETS: wallets[0] ?? '' })
    expect(await rig.run('followOperatorWallets')).toMatchObject({ added: 0, ended: 1 })
    const [kept] = await ofWallets()
    await as().removeOperator({ operator_id: kept?.operator_id ?? '' })
    expect(await rig.run('followOperatorWallets')).toMatchObject({ done: 0 })
    rig.peers.identity.isAway = true
    await expect(rig.run('followOperatorWallets')).rejects.toThrow()
    rig.peers.identity.isAway = false
    expect((await ofWallets()).every(({ ended_at }) => ended_at !== null)).toBe(true)
  })
})
