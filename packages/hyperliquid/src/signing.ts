/** All that signs, and the keys that it signs with. What signs nothing imports the package without this entry. */
export { openLegSigner, openTradeSigner, type LegSigner, type TradeSigner } from './actions.ts'
export { deriveAccount, parseSeed, storedAccount } from './derive-key.ts'
export { signPoolSend } from './user-signed.ts'
