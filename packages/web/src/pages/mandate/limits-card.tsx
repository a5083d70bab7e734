import { useShared } from '../../i18n/index.tsx'
import { shareOf, shownAmount, unitsOf, unitsOrNull } from '../../lib/money.ts'
import { Card } from '../../parts/card/card.tsx'
import { RailRow } from '../../parts/rail/rail.tsx'
import { distanceText, useNow } from '../../parts/time/time.tsx'
import type { Scene } from './scene.ts'
import styles from './mandate.module.css'

/** Where the limits stand: the day, a trade, the budget, the money at the venue, and the time. */
export function LimitsCard({ scene }: { readonly scene: Scene }) {
  const { detail, live, words } = scene
  const refusals = live?.refusals_7d ?? detail.refusals_7d
  const kinds = Object.entries(refusals.by_kind)
  const { limits } = words
  const { close_if_silent_minutes: silent } = detail.limits
  return (
    <Card title={limits.title} aside={refusals.total > 0 ? limits.refused(refusals.total) : 'USDC'}>
      <div className={styles['rails']}>
        <DayRail scene={scene} />
        <TradeRail scene={scene} />
        <BudgetRail scene={scene} />
        <TimeRail scene={scene} />
        {kinds.length > 0 && (
          <details className={styles['fine']}>
            <summary>{limits.byKind}</summary>
            <ul>
              {kinds.map(([kind, count]) => (
                <li key={kind}>
                  {words.kinds[kind] ?? kind}: {count}
                </li>
              ))}
            </ul>
          </details>
        )}
        {silent !== null && <p className={styles['fine']}>{limits.silent(silent)}</p>}
      </div>
    </Card>
  )
}

interface RailProps {
  readonly scene: Scene
}

function DayRail({ scene: { detail, live, words } }: RailProps) {
  const shared = useShared()
  const now = useNow()
  const { limits } = words
  const cap = unitsOf(detail.limits.daily_cap_usdc)
  const usage = live?.usage ?? detail.usage
  if (usage === null)
    return (
      <RailRow
        name={limits.day}
        figure={shownAmount(cap)}
        use={0}
        told={shared.rail.told(limits.day, '0', shownAmount(cap))}
      />
    )
  const [leg, reserved] = [unitsOf(usage.leg_used_usdc), unitsOf(usage.reserved_usdc)]
  const used = unitsOf(usage.used_usdc) + leg
  const held = unitsOf(usage.held_usdc) + reserved
  const figure = limits.left(shownAmount(unitsOf(usage.left_usdc)), shownAmount(cap))
  const byLeg =
    leg + reserved > 0n || detail.limits.hl_leg ? ` ${limits.legHint(shownAmount(leg), shownAmount(reserved))}` : ''
  return (
    <RailRow
      name={limits.day}
      figure={figure}
      use={shareOf(used, cap)}
      hold={shareOf(held, cap)}
      told={`${shared.rail.told(limits.day, shownAmount(used), shownAmount(cap))}. ${shared.rail.held(shownAmount(held))}`}
      hint={`${limits.dayHint(shownAmount(unitsOf(usage.used_usdc)), shownAmount(unitsOf(usage.held_usdc)))}${byLeg} ${limits.resets(distanceText(usage.resets_at, now, shared))}`}
    />
  )
}

function TradeRail({ scene: { detail, words } }: RailProps) {
  const shared = useShared()
  const { limits } = words
  const cap = unitsOf(detail.limits.per_tx_cap_usdc)
  const above = unitsOrNull(detail.limits.approval_above_usdc)
  const free = above === null || above > cap ? cap : above
  return (
    <RailRow
      name={limits.trade}
      figure={shownAmount(cap)}
      use={shareOf(free, cap)}
      hold={shareOf(cap - free, cap)}
      told={shared.rail.told(limits.trade, shownAmount(free), shownAmount(cap))}
      hint={above === null ? limits.never : limits.freely(shownAmount(above))}
    />
  )
}

function BudgetRail({ scene: { detail, words } }: RailProps) {
  const shared = useShared()
  const { limits } = words
  const budget = unitsOf(detail.limits.budget_usdc)
  const paid = unitsOrNull(detail.chain_state?.principal_usdc) ?? 0n
  const legBudget = unitsOrNull(detail.limits.leg_budget_usdc)
  const legOut = unitsOrNull(detail.chain_state?.leg?.out_usdc) ?? 0n
  return (
    <>
      <RailRow
        name={limits.budget}
        figure={limits.paidIn(shownAmount(paid), shownAmount(budget))}
        use={shareOf(paid, budget)}
        told={shared.rail.told(limits.budget, shownAmount(paid), shownAmount(budget))}
      />
      {legBudget !== null && (
        <RailRow
          name={limits.atVenue}
          figure={limits.ofBudget(shownAmount(legOut), shownAmount(legBudget))}
          use={shareOf(legOut, legBudget)}
          told={shared.rail.told(limits.atVenue, shownAmount(legOut), shownAmount(legBudget))}
        />
      )}
    </>
  )
}

const WHOLE_BPS = 10_000

function TimeRail({ scene: { detail, words } }: RailProps) {
  const shared = useShared()
  const now = useNow()
  const { limits } = words
  const { elapsed_bps: elapsed } = detail.progress
  const left = distanceText(detail.limits.ends_at, now, shared)
  const over = Date.parse(detail.limits.ends_at) <= now
  const figure = over ? limits.over : limits.timeLeft(daysText(detail.limits.ends_at, now, shared.time.days) ?? left)
  return (
    <RailRow name={limits.time} figure={figure} use={(elapsed ?? 0) / WHOLE_BPS} told={`${limits.time}: ${figure}`} />
  )
}

const DAY_MS = 86_400_000

/** A distance of a day and more in days, also beyond the week from which on other places show a date. */
const daysText = (until: string, now: number, text: (n: number) => string): string | null => {
  const days = Math.floor((Date.parse(until) - now) / DAY_MS)
  return days < 1 ? null : text(days)
}
