import type { Pool } from '@svc/postgres'
import { readTogether, type Gauges } from '@svc/service'
import { Rows, type Kind, type StateFigure } from './rows.ts'
import { states } from './states.ts'

/** Returns the figures of effects that are open, of each kind in each state. */
export function outboundGauges(pool: Pool, kinds: readonly Kind[]): Gauges {
  const read = readTogether(() =>
    pool.transaction(async (tx) => {
      const figures = []
      for (const kind of kinds) figures.push({ kind: kind.name, found: await new Rows(kind).figures(tx) })
      return figures
    }),
  )
  const seriesOf = (figure: (found: StateFigure) => number) => async () =>
    (await read()).flatMap(({ kind, found }) =>
      states.map((state) => {
        const one = found.find((each) => each.state === state)
        return { labels: { kind, state }, value: one === undefined ? 0 : figure(one) }
      }),
    )
  return {
    hub_outbound_open: {
      description: 'Effects outside that have not ended, or whose end the neighbours do not know',
      read: seriesOf(({ count }) => count),
    },
    hub_outbound_oldest_seconds: {
      description: 'Time since the oldest open effect came into its state; 0 without one',
      read: seriesOf(({ seconds }) => seconds),
    },
  }
}
