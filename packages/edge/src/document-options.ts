import type { Contract, Refusal } from '@svc/contract'
import type { Route } from './routes.ts'

/** What the documents are printed from. */
export interface DocumentOptions {
  readonly contracts: readonly Contract[]
  readonly routes: readonly Route[]
  readonly refusals: ReadonlyMap<string, Refusal>
  readonly publicUrl: string
  readonly version: string
  readonly dailyLimits: readonly [number, number, number]
  readonly openLimits: { readonly perMinute: number; readonly perDay: number }
}
