export { checkRecord, recordFiles, type CheckOptions } from './check-record.ts'
export {
  createClient,
  type Api,
  type CallOptions,
  type Client,
  type ClientOptions,
  type Credentials,
  type Reply,
} from './client.ts'
export type * from './generated/types.ts'
export type { Answer, Code, Input, OperationName, Session } from './operations.ts'
export * from './record/index.ts'
export { NoAnswerError, RefusalError, type ProblemBody, type Verdict } from './refusal.ts'
export { ForeignMessageError, registerAgent, signIn, type SignInOptions } from './sign-in.ts'
export {
  NoCallError,
  TransactionError,
  vaultOf,
  type Done,
  type Vault,
  type VaultOptions,
  type Waiting,
} from './vault.ts'
export { walletOf, WalletError, type Signer, type TypedData, type Wallet } from './wallet.ts'
