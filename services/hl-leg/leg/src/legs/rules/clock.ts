/** Greatest difference to the venue's clock with which keys sign: an order expires 15 s after it was signed. */
export const SKEW_MS_MAX = 5_000
