// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Errors and events of a vault
/// @notice The first five errors are refusals: the mandate forbids what was asked. Only the vault itself can raise
/// them, because what a target reverts with is wrapped in `TargetCallFailed`. Amounts are base units of the token.
interface IMandateVault {
    /// @notice `selector` of `target` is not among the calls of the terms, or `target` has no code.
    error TargetNotAllowed(address target, bytes4 selector);
    /// @notice The call may pull `asked`, and the terms allow one call `cap`.
    error OverPerTxCap(uint256 asked, uint256 cap);
    /// @notice The call may pull `asked`, and `left` is left of this UTC day.
    error OverDailyCap(uint256 asked, uint256 left);
    /// @notice Stopped by the owner (1) or the stop line (2), or paused by the owner (3).
    error MandateStopped(uint8 reason);
    /// @notice The term is over since `endsAt`.
    error MandateEnded(uint64 endsAt);

    /// @notice Only the owner may do this.
    error NotOwner(address caller);
    /// @notice Only the agent may do this.
    error NotAgent(address caller);
    /// @notice Only the keeper may do this, or nobody else yet.
    error NotKeeper(address caller);
    /// @notice Possible only once the vault is stopped or ended.
    error NotClosed();
    /// @notice Possible only while the vault is paused.
    error NotPaused();
    /// @notice The agent may be neither zero nor another party, a listed target, or a contract of the deployment.
    error BadAgent(address agent);
    /// @notice The amount is zero, or nothing arrived.
    error ZeroAmount();
    /// @notice A deposit of `asked`, where the budget has room for `room`.
    error OverBudget(uint256 asked, uint256 room);
    /// @notice The vault holds `available`, less than `asked`.
    error InsufficientFunds(uint256 asked, uint256 available);
    /// @notice More money left the vault (`lost`) than its allowance explains (`pulled`).
    error SpendMismatch(uint256 pulled, uint256 lost);
    /// @notice Unwinding a position took `lost` from the vault.
    error UnwindSpent(uint256 lost);
    /// @notice `target` failed with `reason`, cut to 256 bytes.
    error TargetCallFailed(address target, bytes reason);
    /// @notice Withdrawals wait until `until`: the vault is open (1), or in the grace after its end (2).
    error WithdrawLocked(uint8 reason, uint64 until);
    /// @notice The owner's stop waits until `until`, so that the keeper can settle first.
    error SettleGrace(uint64 until);
    /// @notice The vault settles once.
    error AlreadySettled();
    /// @notice The mark is of `asOf`: in the future, too old, or not newer than the last.
    error StaleMark(uint64 asOf);
    /// @notice The marked `worth` is below the vault's own money `floor`.
    error BadMark(uint256 worth, uint256 floor);
    /// @notice This token cannot be rescued: it is the vault's own money, or no contract.
    error BadToken(address token);

    /// @notice The owner paid in `amount`; `principal` is the new total.
    event Deposited(address indexed from, uint256 amount, uint256 principal);
    /// @notice `amount` that was transferred to the vault counts as paid in; `principal` is the new total.
    event DirectDeposit(uint256 amount, uint256 principal);
    /// @notice The agent called a target, which could pull `approved`, pulled `spent` and paid `received`.
    /// `usedToday` is the total pulled in the UTC day `day`, counted in days since 1970.
    event Executed(
        address indexed agent,
        address indexed target,
        bytes4 indexed selector,
        uint256 approved,
        uint256 spent,
        uint256 received,
        uint64 day,
        uint256 usedToday
    );
    /// @notice A position was unwound after the vault closed, and paid `received`.
    event Unwound(address indexed by, address indexed target, bytes4 indexed selector, uint256 received);
    /// @notice The agent changed; zero means paused, or revoked for good where the vault is closed.
    event AgentSet(address indexed agent, address indexed previous);
    /// @notice Stopped for ever, by the owner (1) or the stop line (2).
    event Stopped(uint8 indexed reason, address indexed by, uint64 stoppedAt);
    /// @notice The keeper says that the vault with its positions was worth `worth` at `asOf`.
    event Marked(uint256 worth, uint64 asOf, address indexed keeper);
    /// @notice Settled. `gross` is all the money realised so far, `fee` what this settlement added to the fee.
    event Settled(uint256 gross, uint256 principal, uint256 fee, address indexed by);
    /// @notice The owner took `amount`; `feeAccrued` is what this withdrawal added to the fee.
    event Withdrawn(address indexed to, uint256 amount, uint256 feeAccrued);
    /// @notice All of the fee owed was paid.
    event FeeClaimed(address indexed to, uint256 amount);
    /// @notice A token that is not the vault's own went to the owner.
    event Rescued(address indexed token, uint256 amount);
}
