import type { Door } from '@svc/contracts/gallery/doors'

/** What decides which doors are open. */
export interface Deployed {
  /** Network of the chain of the vaults; null without a factory. */
  readonly chain: 'testnet' | 'mainnet' | null
  readonly legEnabled: boolean
  readonly legNetwork: 'testnet' | 'mainnet'
  readonly hasRunner: boolean
  /** Whether operators can publish signals. */
  readonly publishes: boolean
  /** Whether a strategy for the house runner, and a subscription of signals, is live. */
  readonly hasStrategy: boolean
  readonly hasSignals: boolean
}

const OWN_BOT = [
  'POST /hub/agents/pair-code',
  'POST /hub/mandates',
  'POST /hub/mandates/{public_id}/sign',
  'POST /hub/gas/drip',
  'GET /hub/mandates/{public_id}/create-call',
  'POST /hub/mandates/{public_id}/accept',
  'GET /hub/mandates/{public_id}/execute-call',
]
const HOUSE = [
  'GET /hub/gallery',
  'POST /hub/gallery/{listing_id}/adopt',
  'POST /hub/mandates',
  'POST /hub/mandates/{public_id}/sign',
  'POST /hub/mandates/{public_id}/hl-leg/bind',
  'POST /hub/gallery/{listing_id}/hire',
]
const SIGNALS = [
  'GET /hub/doors/operators',
  'GET /hub/gallery/{listing_id}',
  'GET /hub/gallery/{listing_id}/signals',
  'POST /hub/gallery/{listing_id}/adopt',
  'POST /hub/gallery/{listing_id}/hire',
]

/** Returns the four doors in their order, with the status that the deployment gives them. */
export function doorsOf(deployed: Deployed): Door[] {
  return [ownBot(deployed), houseStrategy(deployed), copySignals(deployed), operatorVault()]
}

function ownBot({ chain }: Deployed): Door {
  const door = {
    door: 1,
    key: 'own_bot' as const,
    title: 'Bring your own bot',
    requirements: ['A wallet of the owner', 'A registered agent that is paired with the owner'],
    routes: OWN_BOT,
  }
  if (chain === null)
    return {
      ...door,
      status: 'locked',
      network: null,
      next_step: 'Write a draft with POST /hub/mandates/draft; it can be signed once a factory is configured.',
      why: 'This deployment has no vault factory.',
    }
  const isMain = chain === 'mainnet'
  return {
    ...door,
    status: isMain ? 'live' : 'testnet',
    network: chain,
    next_step: 'Pair your agent with POST /hub/agents/pair-code, then write limits with POST /hub/mandates.',
    why: isMain
      ? 'Vaults are on a main network: they hold real money.'
      : 'Vaults are on a test chain: they hold test money.',
  }
}

/** True if the house runner can trade in legs of the test network. */
const runsOnTestnet = ({ legEnabled, legNetwork, hasRunner }: Deployed): boolean =>
  hasRunner && legEnabled && legNetwork === 'testnet'

const RUNNER_WORDS = {
  open: 'The house runner trades in accounts of the test network of the venue.',
  noRunner: 'This deployment has no house runner: results are those of paper books, without money.',
  noLeg:
    "This deployment does not let mandates trade on the venue's test network: results are those of paper books, without money.",
}
const SIGNAL_WORDS = {
  open: 'The house runner follows the signals of an operator in accounts of the test network of the venue.',
  noRunner: 'This deployment has no house runner: signals fill paper books only, without money.',
  noLeg:
    "This deployment does not let mandates trade on the venue's test network: signals fill paper books only, without money.",
}

const wordsFor = (deployed: Deployed, words: typeof RUNNER_WORDS): string =>
  runsOnTestnet(deployed) ? words.open : deployed.hasRunner ? words.noLeg : words.noRunner

function houseStrategy(deployed: Deployed): Door {
  const isOpen = runsOnTestnet(deployed)
  return {
    door: 2,
    key: 'house_strategy',
    title: 'House strategy',
    status: isOpen ? 'testnet' : 'paper',
    network: isOpen ? 'testnet' : null,
    requirements: [
      'A wallet of the owner with a key',
      'An account at the test network of the venue, approved for the leg',
    ],
    // A strategy is adopted for the house runner: without one there is nobody to run it.
    offered: deployed.hasRunner && deployed.hasStrategy,
    next_step: 'Adopt a strategy_template of GET /hub/gallery with agent house.',
    routes: HOUSE,
    why: wordsFor(deployed, RUNNER_WORDS),
  }
}

function copySignals(deployed: Deployed): Door {
  const isOpen = deployed.publishes && runsOnTestnet(deployed)
  return {
    door: 3,
    key: 'copy_signals',
    title: 'Copy signals',
    status: !deployed.publishes ? 'locked' : isOpen ? 'testnet' : 'paper',
    network: isOpen ? 'testnet' : null,
    requirements: ['A mandate whose agent is the house runner', 'Cherry for the signals of a paid listing'],
    offered: deployed.hasSignals,
    next_step: deployed.publishes
      ? 'Compare operators with GET /hub/doors/operators, then hire a signal_subscription.'
      : 'Come back when operators can publish signals.',
    routes: SIGNALS,
    why: deployed.publishes
      ? wordsFor(deployed, SIGNAL_WORDS)
      : 'The publishing of signals is switched off in this deployment.',
  }
}

const operatorVault = (): Door => ({
  door: 4,
  key: 'operator_vault',
  title: 'Operator vault',
  status: 'locked',
  network: null,
  requirements: [],
  next_step: 'Use door 1, 2 or 3.',
  routes: [],
  why: 'Deposits of real money into the vault of an operator are not open.',
})
