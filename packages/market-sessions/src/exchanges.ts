import type { ExchangeCalendar } from './calendar.ts'
import { xcme } from './exchanges/xcme.ts'
import { xhkg } from './exchanges/xhkg.ts'
import { xkrx } from './exchanges/xkrx.ts'
import { xlon } from './exchanges/xlon.ts'
import { xnas } from './exchanges/xnas.ts'
import { xnys } from './exchanges/xnys.ts'
import { xtks } from './exchanges/xtks.ts'

/** Code of an exchange whose calendar stands here, by ISO 10383. `XCME` stands for its futures on equity indices. */
export type Mic = 'XNYS' | 'XNAS' | 'XCME' | 'XKRX' | 'XTKS' | 'XHKG' | 'XLON'

/** The calendars of all exchanges. */
export const exchanges: Readonly<Record<Mic, ExchangeCalendar>> = {
  XNYS: xnys,
  XNAS: xnas,
  XCME: xcme,
  XKRX: xkrx,
  XTKS: xtks,
  XHKG: xhkg,
  XLON: xlon,
}
