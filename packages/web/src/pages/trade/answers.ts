import type { Answer } from '../../lib/routes-of-api.ts'

/** Answers that the trade page shows. */
export type Products = Answer<'GET /ui/trade/products'>
export type Product = Products['items'][number]
export type Session = Answer<'GET /hub/info/sessions'>['items'][number]
export type BuilderConfig = Answer<'GET /hub/builder-fee/config'>
export type Trader = Answer<'GET /ui/trade/me'>
export type Positions = Answer<'GET /ui/trade/positions'>
export type Position = Answer<'GET /ui/trade/positions'>['paper'][number]
export type TradeMode = Trader['mode']
export type Answered = Answer<'POST /ui/trade/order'>
export type Placed = Extract<Answered, { receipt: null }>
export type ToSign = Extract<Answered, { code: 'signature_required' }>
export type OwnStatus = Answer<'GET /hub/own/status'>
export type Book = Answer<'GET /hub/own/paper/books'>['items'][number]
export type PendingOrder = Answer<'GET /hub/order/pending'>['items'][number]
