import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { newId } from '#new-id.ts'
import { planWalletOperators } from '../rules/plan-wallet-operators.ts'
import { endOperator, insertOperator, lockWallets, operatorsByWallet } from '../store/operators.ts'

/** Makes the agents of the listed wallets operators, and ends those whose wallet left the list. */
export const followOperatorWallets =
  ({ pool, ask, clock, settings }: Context): Job =>
  async () => {
    const wallets = settings.operatorWallets
    const agents = wallets.length === 0 ? [] : (await ask.identity.findAgentsByWallet({ wallets })).agents
    return pool.transaction(async (tx) => {
      await lockWallets(tx)
      const now = clock.now()
      const { add, end } = planWalletOperators(agents, await operatorsByWallet(tx))
      for (const { agent_id: agentId, name: title } of add) {
        const ids = { id: newId('opr'), vaultId: newId('opv') }
        await insertOperator(tx, { ...ids, agentId, kind: 'signal', title, house: false, source: 'wallets' }, now)
      }
      for (const { id } of end)
        await endOperator(tx, id, { reason: 'its wallet left SVC_OPERATOR_WALLETS', adminId: null }, now)
      return { done: add.length + end.length, added: add.length, ended: end.length }
    })
  }
