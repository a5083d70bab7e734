import { depositPage, homePage, statusPage, watchPage } from './first-pages.ts'
import { hallPage, marketsPage, recordPage, researchPage, tokenPage } from './hall-and-markets.ts'
import {
  agentsPage,
  depositOfOwner,
  deskPage,
  legPage,
  linkPage,
  mandatePage,
  mandatesPage,
  statementPage,
} from './owner-pages.ts'
import { choicePage, moneyPage, paperPage, startPage } from './start-page.ts'
import type { StatedPage } from './stated.ts'

/** Every page with its states; failures of the main route, offline and a wrong clock are seen on all of them. */
export const statedPages: readonly StatedPage[] = [
  hallPage,
  recordPage,
  marketsPage,
  tokenPage,
  researchPage,
  homePage,
  depositPage,
  statusPage,
  watchPage,
  mandatesPage,
  mandatePage,
  legPage,
  statementPage,
  agentsPage,
  deskPage,
  linkPage,
  depositOfOwner,
  startPage,
  choicePage,
  paperPage,
  moneyPage,
]
