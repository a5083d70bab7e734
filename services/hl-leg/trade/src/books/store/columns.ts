import { exact } from '@svc/hyperliquid/rounding'
import { z } from 'zod'

/** A numeric column as decimal text without superfluous zeros. */
export const decimalColumn = z.string().transform((text) => exact(text).toFixed())
