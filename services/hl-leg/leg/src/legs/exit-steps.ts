import { prepare } from '@svc/chain'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { LEG_AGENT_NAME } from '@svc/contracts/hl-leg/legs'
import type { BodyOf } from '@svc/contract'
import { revokeAgent, type Network, usdSend, type UserSignedAction } from '@svc/hyperliquid'
import type { Address } from 'viem'
import type { Position } from '@svc/venue/rules/reading'
import { marketIdOf } from '@svc/venue/rules/market-id'
import { walletActionView } from '@svc/venue/wallet-action'

type Step = BodyOf<typeof hlLeg.operations.readExitKit>['steps'][number]

/** What leaving takes: where the money is. */
export interface Exit {
  readonly network: Network
  readonly signatureChainId: number
  readonly positions: readonly Position[]
  /** Address at the venue to which leg money returns; null without funding. */
  readonly pool: string | null
  readonly vault: { readonly address: string; readonly chainId: number } | null
}

/** A member that the owner replaces by the time in milliseconds. */
const NOW = 0

/** Returns the steps by which an owner leaves with the wallet alone, in their order. */
export function exitSteps(exit: Exit): Step[] {
  const { positions, vault } = exit
  const scope = { network: exit.network, signatureChainId: exit.signatureChainId, nonce: NOW }
  const steps: Omit<Step, 'n'>[] = []
  if (vault !== null)
    steps.push(vaultStep(vault, 'stop', 'Stop the vault', 'The agent can no longer act on the vault.'))
  steps.push({
    ...venueStep('revoke', 'Revoke the key', "The leg's key can no longer trade in your account."),
    sign: signed(revokeAgent(scope, LEG_AGENT_NAME), ['nonce']),
  })
  steps.push({
    ...venueStep('close', 'Close the positions', 'Close them in the app of the venue, or sell and buy as listed.'),
    orders: positions.map(({ coin, size }) => ({
      market: marketIdOf(coin),
      side: size.startsWith('-') ? 'buy' : 'sell',
      size: size.replace('-', ''),
      reduce_only: true as const,
    })),
  })
  if (exit.pool !== null)
    steps.push({
      ...venueStep(
        'return',
        'Return the leg money',
        'Replace amount by what you return; the vault is credited with it.',
      ),
      sign: signed(usdSend(scope, { destination: exit.pool as Address, amountUsdc: '1' }), ['time']),
    })
  if (vault !== null) {
    const unwind =
      'Call unwind(target, data) of the vault for each position that it holds, as at the venue of the market.'
    steps.push({ ...venueStep('unwind', 'Close the positions of the vault', unwind), where: 'chain' })
    steps.push(vaultStep(vault, 'withdrawAll', 'Withdraw everything', 'The vault pays its USDC to you.'))
  }
  return steps.map((step, index) => ({ n: index + 1, ...step }))
}

const venueStep = (action: Step['action'], title: string, detail: string): Omit<Step, 'n'> => ({
  action,
  where: 'venue',
  title,
  detail,
  call: null,
  sign: null,
  orders: null,
})

function vaultStep(
  vault: NonNullable<Exit['vault']>,
  name: 'stop' | 'withdrawAll',
  title: string,
  detail: string,
): Omit<Step, 'n'> {
  const { to, data } = prepare(vault.chainId)
    .vault(vault.address as Address)
    [name]()
  const call = { to, data, value: '0' as const, chain_id: vault.chainId }
  return { ...venueStep(name === 'stop' ? 'stop' : 'withdraw', title, detail), where: 'chain', call }
}

/** `members` of the typed data and of the action are replaced before signing. */
function signed(action: UserSignedAction, members: string[]): Step['sign'] {
  const { typed_data, action: posted } = walletActionView(action)
  return { typed_data, action: posted, nonce_members: members }
}
