import { prepare, read } from '@svc/chain'
import { usageAt, usdcText } from '@svc/limits'
import type { Asked, Mandate } from './mandate.ts'
import type { Person, Stage } from '../chain-stage.ts'
import { walletUsdc, type Cast } from '../people.ts'

const unixSeconds = () => BigInt(Math.floor(Date.now() / 1000))

/** Returns the moves of a vault's life under the names that the demo uses. */
export function actsOf(stage: Stage, cast: Cast, mandate: Mandate) {
  const { chain, deployment, walk } = stage
  const { account } = mandate
  const { usdc, venue } = deployment.contracts
  const { market } = account
  const vault = prepare(chain.id).vault(account.vault.address)
  const atVenue = prepare(chain.id).venue(venue.address)
  const { owner, agent, keeper, recipient, venueOwner } = cast

  const buying = (amount: bigint): Asked => ({
    target: venue.address,
    data: atVenue.buy({ m: market, usdcIn: amount, minUnits: 1n }).data,
    amount,
  })
  /** Sells for at least the present quote of the venue. */
  const selling = async (units: bigint): Promise<Asked> => {
    const [minOut] = await read(chain).venue(venue.address).quoteSell({ m: market, n: units })
    return { target: venue.address, data: atVenue.sell({ m: market, n: units, minOut }).data, amount: 0n }
  }

  return {
    mandate,
    buying,
    selling,
    setPrice: (price: bigint) =>
      stage.send(venueOwner, atVenue.setPrice({ m: market, price }), `venue.setPrice(${usdcText(price)} USDC)`),
    deposit: async (amount: bigint) => {
      const approve = prepare(chain.id).usdc(usdc.address).approve({ spender: account.vault.address, value: amount })
      await stage.send(owner, approve, `usdc.approve(vault, ${usdcText(amount)} USDC)`)
      const what = `vault.deposit(${usdcText(amount)} USDC)`
      return mandate.act(owner, vault.deposit({ amount }), what, () => ({ name: 'deposit', amount }))
    },
    buy: (amount: bigint) =>
      mandate.execute(agent, buying(amount), `vault.execute(venue.buy for ${usdcText(amount)} USDC)`),
    sell: async (units: bigint) =>
      mandate.execute(agent, await selling(units), `vault.execute(venue.sell ${usdcText(units)} units)`),
    pause: () => mandate.act(owner, vault.revokeAgent(), 'vault.revokeAgent()', () => ({ name: 'revokeAgent' })),
    resume: () => {
      const { address } = agent.wallet
      return mandate.act(owner, vault.setAgent({ agent_: address }), 'vault.setAgent(agent)', () => ({
        name: 'setAgent',
        agent: address,
      }))
    },
    stop: () => mandate.act(owner, vault.stop(), 'vault.stop()', () => ({ name: 'stop' })),
    unwindAll: async (person: Person) =>
      mandate.unwind(person, await selling(mandate.books().units), 'vault.unwind(venue.sell everything)'),
    /** The keeper reports the worth of the vault, with its position at the present quote of the venue. */
    mark: async () => {
      const worth = await mandate.worth()
      const isNewer = () => unixSeconds() > mandate.books().vault.markedAt
      await walk.until('a second after the last mark', {}, isNewer)
      const asOf = unixSeconds()
      const call = vault.markWorth({ worth, asOf })
      return mandate.act(keeper, call, `vault.markWorth(${usdcText(worth)} USDC)`, () => ({
        name: 'markWorth',
        worth,
        asOf,
      }))
    },
    settle: () => mandate.act(keeper, vault.settle(), 'vault.settle()', () => ({ name: 'settle' })),
    withdraw: () => mandate.act(owner, vault.withdrawAll(), 'vault.withdrawAll()', () => ({ name: 'withdrawAll' })),
    claimFee: () => mandate.act(recipient, vault.claimFee(), 'vault.claimFee()', () => ({ name: 'claimFee' })),
    /** Attempts a withdrawal while it is locked; returns the number of the reason. */
    withdrawLocked: async () => {
      const { revert } = await stage.sendRefused(owner, vault.withdrawAll(), 'vault.withdrawAll()')
      walk.expect('the refusal of the withdrawal', revert.name, 'WithdrawLocked')
      return revert.args['reason']
    },
    printBooks: async () => {
      const { vault: state, units } = mandate.books()
      const { timestamp } = await chain.client.getBlock()
      const { used, left } = usageAt(account.vault.terms, state, timestamp)
      const text = usdcText
      walk.say(
        `Owner: ${text(await walletUsdc(stage, owner))} USDC in the wallet. Vault: ${text(state.accounted)} USDC, ` +
          `${text(state.principal)} paid in, ${text(state.withdrawn)} paid out, fee ${text(state.feeTotal)}; today ${text(used)} used, ${text(left)} left. ` +
          `Position: ${text(units)} units. Worth in all: ${text(await mandate.worth())} USDC.`,
      )
      walk.say('The events, the rules and the contracts agree on these figures.')
    },
  }
}

export type Acts = ReturnType<typeof actsOf>
