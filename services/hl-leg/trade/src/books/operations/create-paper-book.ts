import { ok, refuse } from '@svc/contract'
import { PAPER_BOOKS_MAX, paperBooksFull } from '@svc/contracts/hl-trade/books'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { callerOf, type BoundHandler } from '@svc/service'
import { randomUUID } from 'node:crypto'
import type { Context } from '#context.ts'
import { bookView } from '../book-view.ts'
import { insertBook } from '../store/books.ts'

export const createPaperBook: BoundHandler<Context, typeof hlTrade.operations.createPaperBook> =
  () => async (input, call) => {
    const { account_id: ownerId } = callerOf(call)
    const book = `pbk_${randomUUID().replaceAll('-', '')}`
    return call.effect(async (tx) => {
      const made = { book, ownerId, name: input.name, startUsdc: input.start_usdc }
      const stored = (await insertBook(tx, made, call.now, PAPER_BOOKS_MAX)) ?? refuse(paperBooksFull)
      return ok(201, { ok: true, ...bookView(stored, [], call.now) })
    })
  }
