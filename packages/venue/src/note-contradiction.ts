import { raisesAlarm } from '@svc/outbound/rules'
import { counterOf, eachOf, type Log } from '@svc/service'

const countAlarm = counterOf(
  'hub_venue_contradictions_total',
  'Alarms about orders of which the venue said so often what contradicts itself, by kind',
  eachOf('kind', ['leg_order', 'own_order']),
)

/** An order, and how many of its look-ups have contradicted themselves. */
interface Contradicted {
  readonly kind: 'leg_order' | 'own_order'
  readonly id: number
  readonly count: number
}

/** Logs that a look-up contradicted itself, and raises the alarm when that has happened too often. The order stays open. */
export function noteContradiction({ log }: { readonly log: Log }, { kind, id, count }: Contradicted): void {
  const line = { kind, order: id, contradictions: count }
  if (!raisesAlarm(count)) return log.warn(line, 'the venue contradicts itself about an order')
  countAlarm({ kind })
  log.error(line, 'the venue keeps contradicting itself about an order')
}
