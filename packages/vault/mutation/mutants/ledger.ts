import type { Mutant } from '../mutant.ts'

const file = 'VaultLedger.sol'

/** Faults in the books: what counts as paid in, what arrived, what the fee is. */
export const ledgerMutants: readonly Mutant[] = [
  {
    name: 'donation above the budget',
    file,
    find: 'Math.min(surplus, t.budget - principal)',
    replace: 'surplus',
    why: 'A transfer could push the principal above the budget and give the agent more to spend.',
  },
  {
    name: 'donation as profit',
    file,
    find: '        principal += amount;\n',
    replace: '',
    why: 'A direct transfer would pay a fee.',
  },
  {
    name: 'donation not spendable',
    file,
    find: '        accounted += amount;\n',
    replace: '',
    why: 'Recognised money would be principal that the vault does not have, which hides profit from the fee.',
  },
  {
    name: 'direct deposit told twice',
    file,
    find: 'emit DirectDeposit(amount, principal);',
    replace: 'emit DirectDeposit(principal, principal);',
    why: 'A reader of the log could not check its sums.',
  },
  {
    name: 'surplus told as direct deposit',
    file,
    find: 'emit DirectDeposit(amount, principal);',
    replace: 'emit DirectDeposit(surplus, principal);',
    why: 'A reader would count money as paid in for which the budget had no room.',
  },
  {
    name: 'deposit credited as asked',
    file,
    find: 'SafeCast.toUint128(Math.min(arrived, amount))',
    replace: 'SafeCast.toUint128(amount)',
    why: 'With a token that takes a fee the books would promise more than there is.',
  },
  {
    name: 'transfer on the side credited as deposit',
    file,
    find: 'Math.min(arrived, amount)',
    replace: 'arrived',
    why: 'A token that calls back could have more credited than the budget allows.',
  },
  {
    name: 'withdrawn money forgotten',
    file,
    find: 'uint256(withdrawn) + accounted + feeTotal',
    replace: 'uint256(accounted) + feeTotal',
    why: 'Whoever withdraws first and unwinds later would pay no fee.',
  },
  {
    name: 'fee taken forgotten',
    file,
    find: 'uint256(withdrawn) + accounted + feeTotal',
    replace: 'uint256(withdrawn) + accounted',
    why: 'Each part of a fee would make the next part smaller.',
  },
  {
    name: 'fee on all money',
    file,
    find: 'Math.saturatingSub(_gross(), principal)',
    replace: '_gross()',
    why: 'The fee would be a share of the principal too.',
  },
  {
    name: 'fee twice',
    file,
    find: 'Math.saturatingSub(due, feeTotal)',
    replace: 'due',
    why: 'Settling and withdrawing would each take the whole fee.',
  },
  {
    name: 'fee ten times over',
    file,
    find: 'BPS = 10_000',
    replace: 'BPS = 1_000',
    why: 'The fee would be ten times the signed one.',
  },
  {
    name: 'fee rounded up',
    file,
    find: '(profit * t.feeBps) / BPS',
    replace: 'Math.ceilDiv(profit * t.feeBps, BPS)',
    why: 'The owner would pay a base unit that is not due.',
  },
  {
    name: 'fee money withdrawn',
    file,
    find: '        accounted -= fee;\n',
    replace: '',
    why: "The same money would be owed as fee and counted as the owner's.",
  },
  {
    name: 'fee not remembered',
    file,
    find: '        feeTotal += fee;\n',
    replace: '',
    why: 'Every withdrawal would take the fee again.',
  },
  {
    name: 'fee owed to nobody',
    file,
    find: '        feeOwed += fee;\n',
    replace: '',
    why: 'The fee would be withheld from the owner and paid to nobody.',
  },
]
