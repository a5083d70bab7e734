/** The builder fee of orders, as the venue writes it where an owner approves it. */
export const BUILDER_FEE_RATE = '0.1%'
/** The same fee as an order and the venue's `maxBuilderFee` state it, in tenths of a basis point. */
export const BUILDER_FEE_TENTHS = 100
