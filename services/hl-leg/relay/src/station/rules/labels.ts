/** The switches of the deployment, and whether the venue answered. */
export interface Station {
  readonly liveTrading: boolean
  readonly hlLeg: boolean
  readonly legFunding: boolean
  readonly relayOk: boolean
  readonly gasDrip: boolean
  /** Whether operators can publish signals. */
  readonly signals: boolean
  readonly houseRunner: boolean
  readonly network: 'testnet' | 'mainnet'
  /** True: the venue is a rig on this machine. */
  readonly madeUp: boolean
}

/** Says in words what a visitor can do today. */
export const labelsOf = ({
  liveTrading,
  hlLeg,
  legFunding,
  relayOk,
  gasDrip,
  signals,
  houseRunner,
  network,
  madeUp,
}: Station) => ({
  live_trading: liveTrading
    ? madeUp
      ? 'Live orders of linked accounts go to a simulated venue, with play money'
      : `Live orders of linked accounts go to the venue's ${network}`
    : 'Live orders are switched off; closes of linked accounts still go through',
  paper_trading: madeUp
    ? 'Paper orders fill against a simulated order book'
    : 'Paper orders fill on the book of the venue',
  hl_leg: hlLeg
    ? madeUp
      ? "Mandates may trade in their owner's account at the simulated venue"
      : "Mandates may trade in their owner's account at the venue"
    : "Mandates cannot trade in their owner's account at the venue",
  leg_funding: legFunding
    ? "Vaults fund their owner's account with test money"
    : "Vaults do not fund their owner's account",
  relay: relayOk
    ? madeUp
      ? 'A simulator answers; its prices are made up'
      : 'The venue answers'
    : 'The venue does not answer; prices are copies of up to ten minutes',
  gas_drip: gasDrip ? 'A wallet with a mandate gets its first test ETH here' : 'The gas drip is switched off',
  signals: signals ? 'Operators publish signals' : 'Operators cannot publish signals now',
  house_runner: houseRunner ? 'The house runner follows signals for mandates' : 'There is no house runner here',
  doors: 'The doors say how to start: GET /hub/doors',
})
