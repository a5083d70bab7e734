import { describe, expect, test } from 'vitest'
import { decidePublish, type SellerOperator, type SellerStanding } from './may-publish.ts'
import { nextStatus } from './next-status.ts'

const good: SellerStanding = { ranked: true, violations30d: 0, independentOwners: 1, independentPrincipal: 25_000_000n }
const operator = (changed: Partial<SellerOperator> = {}): SellerOperator => ({
  id: 'opr_1',
  vault_id: 'opv_1',
  kind: 'signal',
  source: 'admin',
  ended_at: null,
  ...changed,
})
const template = { type: 'strategy_template', isFree: true, vaultId: null } as const
const signals = { type: 'signal_subscription', isFree: true, vaultId: null } as const

describe('who may publish', () => {
  test('an allowlisted operator publishes templates and the signals of its own vaults, whatever the Hall says', () => {
    expect(decidePublish(template, [operator()], null)).toEqual({ kind: 'vault', vaultId: null })
    const paid = { ...signals, isFree: false, vaultId: 'opv_1' }
    expect(decidePublish(paid, [operator()], null)).toEqual({ kind: 'vault', vaultId: 'opv_1' })
    expect(decidePublish(signals, [operator()], null)).toEqual({ kind: 'vault_needed', vaultIds: ['opv_1'] })
  })

  test('nobody publishes with the vault of another, of an ended operator, or of the wrong kind', () => {
    const with1 = { ...signals, vaultId: 'opv_1' }
    for (const operators of [
      [],
      [operator({ vault_id: 'opv_2' })],
      [operator({ ended_at: '2026-11-01T00:00:00.000Z' })],
      [operator({ kind: 'vault' })],
    ])
      expect(decidePublish(with1, operators, good)).toMatchObject({ kind: 'refused' })
  })

  test('a ranked agent without a violation publishes templates; any other agent does not', () => {
    expect(decidePublish(template, [], good)).toEqual({ kind: 'vault', vaultId: null })
    expect(decidePublish(template, [], null)).toMatchObject({ kind: 'refused' })
    expect(decidePublish(template, [], { ...good, ranked: false })).toMatchObject({ kind: 'refused' })
    expect(decidePublish(template, [], { ...good, violations30d: 1 })).toMatchObject({ kind: 'refused' })
  })

  test('the first free signal listing makes an operator only with the money of an independent owner', () => {
    expect(decidePublish(signals, [], good)).toEqual({ kind: 'new_operator' })
    expect(decidePublish({ ...signals, isFree: false }, [], good)).toMatchObject({ kind: 'refused' })
    expect(decidePublish(signals, [], { ...good, independentOwners: 0 })).toMatchObject({ kind: 'refused' })
    expect(decidePublish(signals, [], { ...good, independentPrincipal: 24_999_999n })).toMatchObject({
      kind: 'refused',
    })
  })

  test('an operator by its record sells for free only, and does not come back after an admin ended it', () => {
    const mine = operator({ source: 'listing' })
    const with1 = { ...signals, vaultId: 'opv_1' }
    expect(decidePublish(with1, [mine], good)).toEqual({ kind: 'vault', vaultId: 'opv_1' })
    expect(decidePublish({ ...with1, isFree: false }, [mine], good)).toMatchObject({ kind: 'refused' })
    const ended = { ...mine, ended_at: '2026-11-01T00:00:00.000Z' }
    expect(decidePublish(signals, [ended], good)).toMatchObject({ kind: 'refused' })
  })

  test('a vault deposit needs the vault of an operator of kind vault', () => {
    const deposit = { type: 'vault_deposit', isFree: true, vaultId: null } as const
    expect(decidePublish(deposit, [operator()], good)).toEqual({ kind: 'vault_needed', vaultIds: [] })
    expect(decidePublish({ ...deposit, vaultId: 'opv_1' }, [operator({ kind: 'vault' })], null)).toMatchObject({
      kind: 'vault',
    })
  })
})

describe('the state of a listing', () => {
  const tended = { status: 'live', operators: [], standing: good } as const

  test('a violation or a lost rank suspends it, and a good record restores it', () => {
    expect(nextStatus(tended)).toBeNull()
    const broken = { ...good, violations30d: 1 }
    expect(nextStatus({ ...tended, standing: broken })).toMatchObject({ status: 'suspended' })
    expect(nextStatus({ ...tended, standing: { ...good, ranked: false } })).toMatchObject({ status: 'suspended' })
    expect(nextStatus({ ...tended, status: 'suspended' })).toMatchObject({ status: 'live' })
    expect(nextStatus({ ...tended, status: 'suspended', standing: broken })).toBeNull()
  })

  test('an unknown record changes nothing, and an allowlisted operator needs none', () => {
    expect(nextStatus({ ...tended, standing: null })).toBeNull()
    expect(nextStatus({ ...tended, status: 'suspended', standing: null })).toBeNull()
    expect(nextStatus({ status: 'suspended', operators: [operator()], standing: null })).toMatchObject({
      status: 'live',
    })
  })

  test('the template of an ended operator is suspended unless the Hall ranks the seller', () => {
    const operators = [operator({ ended_at: '2026-11-01T00:00:00.000Z' })]
    expect(nextStatus({ status: 'live', operators, standing: null })).toMatchObject({ status: 'suspended' })
    expect(nextStatus({ status: 'live', operators, standing: good })).toBeNull()
  })

  test('a listing of an ended operator is withdrawn', () => {
    expect(nextStatus({ ...tended, status: 'withdrawn' })).toMatchObject({ status: 'withdrawn' })
  })
})
