/** Wallets with a role, in lower case. */
export interface RoleWallets {
  readonly admin: ReadonlySet<string>
  readonly reviewer: ReadonlySet<string>
}

/** Returns the roles of an account. Only owners have roles: an agent's key never acts as an operator. */
export function rolesOf(
  account: { readonly kind: 'agent' | 'owner'; readonly wallet: string },
  wallets: RoleWallets,
): ('admin' | 'reviewer')[] {
  if (account.kind !== 'owner') return []
  const roles: ('admin' | 'reviewer')[] = []
  if (wallets.admin.has(account.wallet)) roles.push('admin')
  if (wallets.reviewer.has(account.wallet)) roles.push('reviewer')
  return roles
}
