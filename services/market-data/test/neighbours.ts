import type { Contract } from '@svc/contract'
import { identity } from '@svc/contracts/identity'
import { marketData } from '@svc/contracts/market-data'
import { mining } from '@svc/contracts/mining'
import { subscriptions } from '@svc/contracts/subscriptions'
import { openPool, type Pool } from '@svc/postgres'
import { startService, type AnyHandler } from '@svc/service'
import type { TestStack } from '@svc/testing'

const silent: AnyHandler = () => Promise.reject(new Error('not part of this test'))

/** subscriptions and mining as services that only publish what a test has them say. */
export async function startNeighbours(
  stack: TestStack,
): Promise<{ readonly subscriptions: Pool; readonly mining: Pool; stop(): Promise<void> }> {
  const contracts = [identity, mining, subscriptions, marketData] as unknown as Contract[]
  const services = await Promise.all(
    [subscriptions, mining].map((contract) =>
      startService(contract as unknown as Contract, contracts, stack.environmentOf(contract.name), () => ({
        handlers: Object.fromEntries(Object.keys(contract.operations).map((key) => [key, silent])),
        reactions: Object.fromEntries(contract.consumes.map((name) => [name, async () => {}])),
      })),
    ),
  )
  const [first, second] = await Promise.all(
    [subscriptions, mining].map((contract) => openPool(stack.databaseOf(contract.name).url)),
  )
  if (first === undefined || second === undefined) throw new Error('both have a schema')
  return {
    subscriptions: first,
    mining: second,
    stop: async () => {
      await Promise.all(services.map((one) => one.stop()))
      await Promise.all([first.end(), second.end()])
    },
  }
}
