import { isLegMarket } from '@svc/limits'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import { Field } from '../../parts/field/field.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Stranger } from '../../parts/stranger/stranger.tsx'
import { EnforcerTag, Tag } from '../../parts/tag/tag.tsx'
import { shownAmount } from '../../lib/money.ts'
import { changeForm } from './draft.ts'
import { hasLeg, type FaultPlace, type Form, type FormFaults } from './form.ts'
import { Switch } from './limit-row.tsx'
import { useWords } from './use-words.ts'
import styles from './start.module.css'

interface MoreLimitsProps {
  readonly form: Form
  readonly faults: FormFaults
}

/** Limits that most people leave as they are; open when one of them has a fault. */
export function MoreLimits({ form, faults }: MoreLimitsProps) {
  const words = useWords()
  const told = (place: FaultPlace) => {
    const fault = faults[place]
    if (fault === undefined) return null
    const isAmount = place === 'leg_budget_usdc'
    const bound = fault.bound === null ? '' : isAmount ? shownAmount(fault.bound) : String(fault.bound)
    return words.fault[fault.rule](bound)
  }
  const isWrong = (['name', 'ends_at', 'fee_bps', 'markets', 'leg_budget_usdc'] as const).some((place) => faults[place])
  return (
    <details className={styles['more']} open={isWrong || hasLeg(form) || undefined}>
      <summary>{words.limits.more(form.endsAt.slice(0, 10), form.fee)}</summary>
      <div className={styles['grid']}>
        <Field
          label={words.limits.name}
          hint={words.limits.nameHint}
          maxLength={80}
          value={form.name}
          onChange={(name) => changeForm('name', { name })}
          fault={told('name')}
        />
        <Field
          label={words.limits.ends}
          hint={words.limits.endsHint}
          type="datetime-local"
          value={form.endsAt.slice(0, 16)}
          onChange={(text) =>
            changeForm('ends_at', {
              endsAt: /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? `${text.slice(0, 16)}:00.000Z` : '',
            })
          }
          fault={told('ends_at')}
        />
        <Field
          label={words.limits.fee}
          hint={words.limits.feeHint}
          unit="%"
          inputMode="decimal"
          value={form.fee}
          onChange={(fee) => changeForm('fee_bps', { fee })}
          fault={told('fee_bps')}
        />
        {hasLeg(form) && (
          <Field
            label={words.limits.leg}
            hint={words.limits.legHint}
            unit="USDC"
            inputMode="decimal"
            value={form.legBudget}
            onChange={(legBudget) => changeForm('leg_budget_usdc', { legBudget })}
            fault={told('leg_budget_usdc')}
          />
        )}
      </div>
      <Markets form={form} fault={told('markets')} />
      <div className={styles['proof']}>
        <Switch
          label={words.limits.proof}
          on={form.publicProof}
          set={(publicProof) => changeForm('public_proof', { publicProof })}
        />
        <p className={styles['hint']}>{words.limits.proofHint}</p>
      </div>
    </details>
  )
}

function Markets({ form, fault }: { readonly form: Form; readonly fault: string | null }) {
  const words = useWords()
  const markets = useRead('GET /hub/markets', {}, { every: every.seldom })
  const toggle = (id: string, on: boolean) =>
    changeForm('markets', { markets: on ? [...form.markets, id] : form.markets.filter((one) => one !== id) })
  return (
    <fieldset className={styles['markets']}>
      <legend>{words.limits.markets}</legend>
      {fault !== null && (
        <p className={styles['fault']} role="alert">
          {fault}
        </p>
      )}
      <Read of={markets}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles['hint']}>{words.limits.marketsNone}</p>
          ) : (
            <ul className={styles['marketList']}>
              {items.map((market) => (
                <li key={market.market_id}>
                  <label className={styles['market']}>
                    <input
                      type="checkbox"
                      checked={form.markets.includes(market.market_id)}
                      disabled={market.status === 'planned'}
                      onChange={(event) => toggle(market.market_id, event.target.checked)}
                    />
                    <span className={styles['marketName']}>
                      <Stranger text={market.title} />
                    </span>
                    {market.status === 'planned' ? (
                      <Tag kind="locked">{words.limits.planned}</Tag>
                    ) : (
                      <EnforcerTag by={isLegMarket(market.market_id) ? 'guard' : market.enforced_by} />
                    )}
                  </label>
                </li>
              ))}
            </ul>
          )
        }
      </Read>
    </fieldset>
  )
}
