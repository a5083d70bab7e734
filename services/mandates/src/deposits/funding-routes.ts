import type { Context } from '#context.ts'

type Spot = { readonly chain: string; readonly asset: string }

/** Where money is to arrive: USDC on the vaults' chain, else what `HUB_BEST_WAY_IN` names; null when neither is known. */
export function destinationOf({ deployment, settings }: Pick<Context, 'deployment' | 'settings'>): Spot | null {
  if (deployment.usdc !== null) return { chain: `eip155:${deployment.chainId}`, asset: 'USDC' }
  return settings.bestWayIn
}

/** Ways in, best first. Estimates: the service quotes no bridge. */
export function fundingRoutes(context: Pick<Context, 'deployment' | 'settings'>) {
  const to = destinationOf(context)
  if (to === null) return []
  return [
    {
      route_id: 'deposit',
      title: 'Deposit USDC from your wallet',
      from: to,
      to,
      steps: ['Approve the amount for the vault.', 'Deposit it in the vault, up to the budget.'],
      fee_usdc: '0',
      eta_seconds: 30,
      quoted: false as const,
    },
    {
      route_id: 'transfer',
      title: 'Send USDC to the vault address',
      from: to,
      to,
      steps: [
        'Send USDC to the address of the vault, from any wallet.',
        'It counts as principal, up to the budget, at the next deposit or call of the agent.',
      ],
      fee_usdc: '0',
      eta_seconds: 30,
      quoted: false as const,
    },
    {
      route_id: 'bridge',
      title: 'Bring USDC from another chain, then deposit',
      from: { chain: 'any', asset: 'USDC' },
      to,
      steps: ['Bridge USDC to your wallet on the chain of the vault.', 'Deposit it.'],
      fee_usdc: null,
      eta_seconds: null,
      quoted: false as const,
    },
  ]
}

/** Assets that can be brought in; the first is taken as it is. */
export function fundingAssets({ deployment, settings }: Pick<Context, 'deployment' | 'settings'>) {
  const direct =
    deployment.usdc === null
      ? []
      : [
          {
            chain: `eip155:${deployment.chainId}`,
            chain_id: deployment.chainId,
            asset: 'USDC',
            address: deployment.usdc,
            decimals: 6,
            direct: true,
          },
        ]
  const { bestWayIn } = settings
  const other = direct.some(({ chain, asset }) => chain === bestWayIn?.chain && asset === bestWayIn.asset)
  if (bestWayIn === null || other) return direct
  return [...direct, { ...bestWayIn, chain_id: null, address: null, decimals: null, direct: false }]
}
