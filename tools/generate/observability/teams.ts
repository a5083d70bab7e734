import type { Alert } from './alert.ts'

/** Teams of alerts whose expression names no service; they own the service of that name. */
const ALERTS_OF: Readonly<Record<string, readonly string[]>> = {
  gateway: ['ProxyUntrusted'],
  mining: ['ReviewQueueOld'],
  subscriptions: ['LedgerImbalance', 'DepositCursorStuck'],
  'market-data': ['BoardStale', 'ExchangeSilent'],
  mandates: ['ApprovalsExpiring', 'SettleOverdue'],
  'chain-indexer': ['ChainHeadLag', 'ChainSilent', 'ChainAhead', 'RpcSilent'],
  keeper: ['TransactionStuck', 'MarkAgeHigh', 'GasDripFundingLow'],
  'hl-leg': [
    'CollateralMoveStuck',
    'LegMoneyOutWhileOff',
    'LegOrderStuck',
    'LegTransferStuck',
    'LegUnexplained',
    'LegUnsupported',
    'OwnOrderStuck',
    'SeedFingerprintMismatch',
    'StopLineNoSeed',
    'StopLineTransient',
    'VenueAnswerOld',
    'VenueChanged',
    'VenueContradictsItself',
    'VenueRowUnknown',
    'VenueTransferStuck',
  ],
  gallery: ['FollowOrderStuck', 'HallStale'],
}

const TEAMS = new Map(Object.entries(ALERTS_OF).flatMap(([team, names]) => names.map((name) => [name, team] as const)))

/** The processes at the venue belong to one team. */
const OF_SERVICE = '{{ reReplaceAll "^hl-.*" "hl-leg" $labels.service }}-team'

/**
 * Returns the team whose alert it is, as `CODEOWNERS` names it: that of the service in its labels, or of the one that it is
 * about; otherwise that of the platform.
 */
export const teamOf = ({ name, expr }: Pick<Alert, 'name' | 'expr'>): string =>
  TEAMS.has(name) ? `${TEAMS.get(name)}-team` : /\bby \(service\b|\{service="/.test(expr) ? OF_SERVICE : 'platform-team'

/** Names of alerts that have a team of their own. */
export const ownedAlerts: readonly string[] = [...TEAMS.keys()]
