import { expect, test } from 'vitest'
import { planWalletOperators } from './plan-wallet-operators.ts'

const operator = (agent_id: number, ended_at: string | null = null, ended_by: number | null = null) => ({
  id: `opr_${agent_id}`,
  agent_id,
  ended_at,
  ended_by,
})
const PAST = '2026-11-01T00:00:00.000Z'

test('an agent of a listed wallet becomes an operator once', () => {
  expect(planWalletOperators([{ agent_id: 1 }], [])).toEqual({ add: [{ agent_id: 1 }], end: [] })
  expect(planWalletOperators([{ agent_id: 1 }], [operator(1)])).toEqual({ add: [], end: [] })
})

test('an operator whose wallet left the list ends, and a wallet that comes back makes a new one', () => {
  expect(planWalletOperators([], [operator(1)])).toEqual({ add: [], end: [operator(1)] })
  expect(planWalletOperators([{ agent_id: 1 }], [operator(1, PAST)])).toEqual({ add: [{ agent_id: 1 }], end: [] })
})

test('an operator that an admin ended does not come back by the list', () => {
  expect(planWalletOperators([{ agent_id: 1 }], [operator(1, PAST, 9)])).toEqual({ add: [], end: [] })
})
