import { useState } from 'react'
import { useRead } from '../../lib/reads.ts'
import { Seg } from '../../parts/seg/seg.tsx'
import styles from './agent.module.css'
import type { Words } from './words.ts'

interface MarketChoiceProps {
  /** Null allows every market. */
  readonly chosen: readonly string[] | null
  readonly words: Words
  readonly onChange: (chosen: readonly string[] | null) => void
}

/** How many markets are listed at once; the search narrows them. */
const SHOWN_MAX = 60

/** Every market, or those that are chosen. */
export function MarketChoice({ chosen, words, onChange }: MarketChoiceProps) {
  const text = words.policy
  const [sought, setSought] = useState('')
  const markets = useRead('GET /hub/markets', {}, { when: chosen !== null })
  const listed = (markets.data?.items ?? []).map(({ market_id }) => market_id)
  const all = [...new Set([...(chosen ?? []), ...listed])]
  const shown = all.filter((id) => id.toLowerCase().includes(sought.trim().toLowerCase())).slice(0, SHOWN_MAX)
  const toggle = (id: string, on: boolean) =>
    onChange(on ? [...(chosen ?? []), id] : (chosen ?? []).filter((one) => one !== id))
  return (
    <fieldset className={styles['markets']}>
      <legend className={styles['legend']}>{text.items.allowed_markets}</legend>
      <Seg
        label={text.items.allowed_markets}
        value={chosen === null ? 'any' : 'these'}
        options={[
          { value: 'any', label: text.anyMarket },
          { value: 'these', label: text.onlyThese },
        ]}
        onChange={(value) => onChange(value === 'any' ? null : (chosen ?? []))}
      />
      {chosen !== null && (
        <>
          <p className={chosen.length === 0 ? styles['warn'] : styles['quiet']}>
            {chosen.length === 0 ? text.noMarket : text.chosen(chosen.length)}
          </p>
          <input
            type="search"
            className={styles['find']}
            placeholder={text.findMarket}
            aria-label={text.findMarket}
            value={sought}
            onChange={(event) => setSought(event.target.value)}
          />
          <div className={styles['marketList']}>
            {shown.map((id) => (
              <label key={id}>
                <input
                  type="checkbox"
                  checked={chosen.includes(id)}
                  onChange={(event) => toggle(id, event.target.checked)}
                />
                <span>{id}</span>
              </label>
            ))}
          </div>
        </>
      )}
    </fieldset>
  )
}
