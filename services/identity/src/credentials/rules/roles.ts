/** Wallets with a role, in lower case, as the settings name them now. */
export interface RoleWallets {
  readonly admin: ReadonlySet<string>
  readonly reviewer: ReadonlySet<string>
}

/** Roles of an account. Only an owner's session carries roles: an agent's key never acts as an operator. */
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
