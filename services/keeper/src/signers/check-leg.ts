import { read, type Chain } from '@svc/chain'
import { SettingError } from '@svc/contract'
import { isOutage, type Log } from '@svc/service'
import { isAddressEqual, type Address } from 'viem'

/** The contracts of leg money. */
export interface LegContracts {
  readonly gateway: Address
  readonly factory: Address
  readonly usdc: Address
}

/** Who signs for leg money; null where the key is not here. */
export interface LegRoles {
  readonly keeper: Address | null
  readonly pool: Address | null
}

/** Returns the contracts of leg money; null unless all of them are configured. */
export function legContracts({ addresses }: Chain): LegContracts | null {
  const { legGateway, factoryV2, usdc } = addresses
  return legGateway === null || factoryV2 === null || usdc === null
    ? null
    : { gateway: legGateway, factory: factoryV2, usdc }
}

/**
 * Verifies that keeper, operator, pool, factory, gateway and USDC agree, because money that goes to one of two contracts
 * that do not know each other is lost. Rejects with `SettingError` for the first that differs. Resolves with a warning if the
 * chain does not answer: each call is tried before it is sent.
 */
export async function checkLeg(
  chain: Chain,
  { gateway, factory, usdc }: LegContracts,
  { keeper, pool }: LegRoles,
  log: Log,
): Promise<void> {
  const views = read(chain)
  const [gatewayViews, factoryViews] = [views.legGateway(gateway), views.factoryV2(factory)]
  try {
    const found: readonly (readonly [string, Address, Address | null])[] = [
      [`factory() of the gateway ${gateway}`, await gatewayViews.factory(), factory],
      [`legGateway() of the factory ${factory}`, await factoryViews.legGateway(), gateway],
      [`usdc() of the gateway ${gateway}`, await gatewayViews.usdc(), usdc],
      [`usdc() of the factory ${factory}`, await factoryViews.usdc(), usdc],
      [`operator() of the gateway ${gateway}`, await gatewayViews.operator(), pool],
      [`keeper() of the factory ${factory}`, await factoryViews.keeper(), keeper],
    ]
    for (const [what, is, expected] of found)
      if (expected !== null && !isAddressEqual(is, expected))
        throw new SettingError(
          `Leg money is not configured consistently: ${what} is ${is}, and ${expected} is expected.`,
        )
  } catch (error) {
    if (!isOutage(error)) throw error
    log.warn({ err: error }, 'the contracts of leg money could not be checked: the chain does not answer')
  }
}
