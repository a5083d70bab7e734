// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IKeeperOf, IVaultRegistry} from "./Interfaces.sol";
import {PinnedTerms} from "./MandateTerms.sol";
import {VaultLedger} from "./VaultLedger.sol";
import {VaultTerms} from "./VaultTerms.sol";

/// @title A vault that lets an agent trade an owner's money within signed limits
/// @notice Phases: 0 working, 1 paused, 2 stopped, 3 ended, 4 closed. A stop is permanent.
/// The owner funds the vault and is the only address that it pays out to; the agent calls listed functions within the
/// caps; the keeper can mark its worth and settle it; the fee recipient claims its share of the realised profit.
/// Nobody can upgrade it, change its terms, or prevent a withdrawal.
contract MandateVault is VaultTerms, VaultLedger, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @notice Reason of a stop by the owner.
    uint8 public constant STOP_OWNER = 1;
    /// @notice Reason of a stop by the stop line.
    uint8 public constant STOP_LINE = 2;
    /// @notice Reason of a refusal while paused.
    uint8 public constant PAUSED = 3;
    /// @notice Time in seconds for the keeper to settle, after which anybody may settle and a vault that ended without a
    /// stop pays out unsettled.
    uint64 public constant SETTLE_GRACE = 1 days;
    /// @notice Maximum age of a mark, in seconds.
    uint64 public constant MARK_MAX_AGE = 1 hours;

    uint8 private constant LOCK_OPEN = 1;
    uint8 private constant LOCK_GRACE = 2;
    uint256 private constant REASON_BYTES_MAX = 256;

    /// @dev The agent once `_agentChanged`; before that the agent is the pinned one.
    address private _agent;
    bool private _agentChanged;
    /// @notice Reason of the stop: 1 the owner, 2 the stop line; zero without a stop.
    uint8 public stopReason;
    /// @notice Whether the vault was settled.
    bool public settled;
    /// @notice Time of the stop; zero without a stop.
    uint64 public stoppedAt;

    uint128 private _usedAmount;
    uint64 private _usedDay;
    /// @notice Time of the reading in the last mark; zero without a mark.
    uint64 public markedAt;
    /// @notice Worth in the last mark. Only the stop line depends on it.
    uint128 public lastWorth;

    // ---- Views

    /// @notice The present agent; zero while paused, and permanently after a stop by the owner.
    function agent() external view returns (address) {
        return _currentAgent(_terms());
    }

    /// @notice 0 working, 1 paused, 2 stopped, 3 ended, 4 closed (settled).
    function phase() external view returns (uint8) {
        PinnedTerms memory t = _terms();
        if (settled) return 4;
        if (stopReason != 0) return 2;
        if (block.timestamp >= t.endsAt) return 3;
        return _currentAgent(t) == address(0) ? 1 : 0;
    }

    /// @notice The present UTC day, in days since 1970, with the amount that calls pulled in it and the amount left.
    function usage() external view returns (uint64 day, uint256 used, uint256 left) {
        (day, used) = _usage();
        left = _terms().dailyCap - used;
    }

    /// @notice Why the owner cannot withdraw (1 open, 2 in the grace after the end) and until when; zeros if the owner can.
    function withdrawLock() external view returns (uint8 reason, uint64 until) {
        return _withdrawLock(_terms());
    }

    // ---- Owner

    /// @notice Pays in from the owner, as far as the budget has room. Possible until the vault is stopped or ended.
    /// @param amount To pay in; the amount that arrives is credited.
    function deposit(uint256 amount) external nonReentrant {
        PinnedTerms memory t = _onlyOwner();
        _requireOpen(t);
        if (amount == 0) revert ZeroAmount();
        uint256 room = t.budget - principal;
        if (amount > room) revert OverBudget(amount, room);
        uint128 arrived = _pull(IERC20(t.usdc), msg.sender, amount);
        if (arrived == 0) revert ZeroAmount();
        accounted += arrived;
        principal += arrived;
        emit Deposited(msg.sender, arrived, principal);
        // Last, so that nobody can fill the budget ahead of a deposit with a transfer.
        _recogniseDirect(t);
    }

    /// @notice Revokes the agent: a pause while the vault is open, permanent once it is closed. Without effect if there is
    /// no agent.
    function revokeAgent() external nonReentrant {
        _setAgent(_onlyOwner(), address(0));
    }

    /// @notice Ends a pause with this agent, the former or another.
    /// @param agent_ Not zero, another party, a listed target or a contract of the vault's deployment.
    function setAgent(address agent_) external nonReentrant {
        PinnedTerms memory t = _onlyOwner();
        _requireOpen(t);
        if (_currentAgent(t) != address(0)) revert NotPaused();
        if (!_mayBeAgent(t, agent_)) revert BadAgent(agent_);
        _setAgent(t, agent_);
    }

    /// @notice Stops the vault permanently and revokes the agent. On a stopped vault it only revokes the agent.
    function stop() external nonReentrant {
        PinnedTerms memory t = _onlyOwner();
        if (stopReason == 0) {
            _beforeStop(t);
            _stop(STOP_OWNER);
        }
        _setAgent(t, address(0));
    }

    /// @notice Pays everything but the fee to the owner, after updating the fee. May be called again after more money has
    /// come in. Succeeds with nothing to pay, so that scripts need no check.
    /// @return amount Paid.
    function withdrawAll() external nonReentrant returns (uint256 amount) {
        PinnedTerms memory t = _onlyOwner();
        (uint8 reason, uint64 until) = _withdrawLock(t);
        if (reason != 0) revert WithdrawLocked(reason, until);
        uint128 fee = _accrueFee(t);
        withdrawn += accounted;
        accounted = 0;
        amount = Math.saturatingSub(IERC20(t.usdc).balanceOf(address(this)), feeOwed);
        emit Withdrawn(t.owner, amount, fee);
        IERC20(t.usdc).safeTransfer(t.owner, amount);
    }

    /// @notice Pays the vault's whole balance of another token to the owner, once the vault is closed.
    /// @param token Not the vault's own token.
    function rescue(address token) external nonReentrant {
        PinnedTerms memory t = _onlyOwner();
        _requireClosed(t);
        if (token == t.usdc || token.code.length == 0) revert BadToken(token);
        uint256 amount = IERC20(token).balanceOf(address(this));
        if (amount == 0) revert ZeroAmount();
        emit Rescued(token, amount);
        IERC20(token).safeTransfer(t.owner, amount);
    }

    // ---- Agent

    /// @notice Calls a listed function, which may pull up to `approveAmount`. The amount pulled counts against the day even
    /// if it is paid back. The allowance ends with the call, and the target's return data is ignored.
    /// Refusals precede every other check, so that a revoked agent sees the reason.
    /// @param target A listed target.
    /// @param data Calldata, with a selector listed for the target.
    /// @param approveAmount Maximum that the target may pull; within the caps and the vault's money.
    function execute(address target, bytes calldata data, uint256 approveAmount) external nonReentrant {
        bytes memory pinned = _pinnedBytes();
        PinnedTerms memory t = _decode(pinned);
        _requireOpen(t);
        _requireNotPaused(t);
        if (msg.sender != _currentAgent(t)) revert NotAgent(msg.sender);
        if (!_isCallable(pinned, target, data)) revert TargetNotAllowed(target, bytes4(data));
        _requireWithinCaps(t, approveAmount);
        _recogniseDirect(t);
        if (approveAmount > accounted) revert InsufficientFunds(approveAmount, accounted);
        (uint128 spent, uint128 received) = _callWithAllowance(IERC20(t.usdc), target, data, approveAmount);
        _recordExecution(target, bytes4(data), approveAmount, spent, received);
    }

    /// @notice Calls a target to close a position, once the vault is stopped or ended. Approves no money; the daily cap does
    /// not apply.
    /// @param target A listed target.
    /// @param data Calldata. The agent may use the listed selectors only, the owner any function of the target.
    function unwind(address target, bytes calldata data) external nonReentrant {
        bytes memory pinned = _pinnedBytes();
        PinnedTerms memory t = _decode(pinned);
        _requireClosed(t);
        bool callable;
        if (msg.sender == t.owner) callable = _hasSelector(target, data) && _listsTarget(pinned, target);
        else if (msg.sender == _currentAgent(t)) callable = _isCallable(pinned, target, data);
        else revert NotAgent(msg.sender);
        if (!callable) revert TargetNotAllowed(target, bytes4(data));

        IERC20 usdc = IERC20(t.usdc);
        uint256 balanceBefore = usdc.balanceOf(address(this));
        _call(target, data);
        uint256 balanceAfter = usdc.balanceOf(address(this));
        if (balanceAfter < balanceBefore) revert UnwindSpent(balanceBefore - balanceAfter);
        uint128 received = SafeCast.toUint128(balanceAfter - balanceBefore);
        accounted += received;
        emit Unwound(msg.sender, target, bytes4(data), received);
    }

    // ---- Keeper, and anybody

    /// @notice Records the worth of the vault with its positions, and stops it at or below the stop line. Neither the fee
    /// nor a withdrawal depends on it. A stop is permanent, so the keeper must send no mark before more than the stop line
    /// has been paid in.
    /// @param worth In base units; at least the vault's own money.
    /// @param asOf Time of the reading: newer than the last, at most an hour old, not in the future.
    function markWorth(uint256 worth, uint64 asOf) external nonReentrant {
        PinnedTerms memory t = _terms();
        if (msg.sender != _keeper(t)) revert NotKeeper(msg.sender);
        if (settled) revert AlreadySettled();
        if (asOf <= markedAt || asOf > block.timestamp || block.timestamp - asOf > MARK_MAX_AGE) {
            revert StaleMark(asOf);
        }
        if (worth < accounted) revert BadMark(worth, accounted);
        lastWorth = SafeCast.toUint128(worth);
        markedAt = asOf;
        emit Marked(worth, asOf, msg.sender);
        if (_isOpen(t) && t.stopLine != 0 && worth <= t.stopLine) _stop(STOP_LINE);
    }

    /// @notice Closes the books of a stopped or ended vault, once. By the keeper, who waits until no position is left;
    /// by anybody a day after the vault closed. Money that comes in later is still subject to the fee.
    function settle() external nonReentrant {
        PinnedTerms memory t = _terms();
        _requireClosed(t);
        if (settled) revert AlreadySettled();
        uint256 closedAt = _closedAt(t);
        if (msg.sender != _keeper(t) && block.timestamp < closedAt + SETTLE_GRACE) revert NotKeeper(msg.sender);
        _beforeSettle(closedAt);
        settled = true;
        uint128 fee = _accrueFee(t);
        emit Settled(_gross(), principal, fee, msg.sender);
    }

    /// @notice Pays the owed fee to its pinned recipient. Anybody may call; the owner never depends on it.
    /// @return amount Paid.
    function claimFee() external nonReentrant returns (uint256 amount) {
        PinnedTerms memory t = _terms();
        amount = feeOwed;
        if (amount == 0) revert ZeroAmount();
        feeOwed = 0;
        emit FeeClaimed(t.feeRecipient, amount);
        IERC20(t.usdc).safeTransfer(t.feeRecipient, amount);
    }

    // ---- For vaults with more rules

    /// @dev Called before the owner's stop of a vault that is not stopped.
    function _beforeStop(PinnedTerms memory t) internal view virtual {}

    /// @dev Called before a settlement.
    function _beforeSettle(uint256 closedAt) internal view virtual {}

    // ---- Who and when

    function _onlyOwner() internal view returns (PinnedTerms memory t) {
        t = _terms();
        if (msg.sender != t.owner) revert NotOwner(msg.sender);
    }

    function _keeper(PinnedTerms memory t) internal view returns (address) {
        return IKeeperOf(t.factory).keeper();
    }

    function _currentAgent(PinnedTerms memory t) internal view returns (address) {
        return _agentChanged ? _agent : t.agent;
    }

    /// @dev The rules of the creation. The factory knows this vault as one of its vaults.
    function _mayBeAgent(PinnedTerms memory t, address who) private view returns (bool) {
        if (who == address(0) || who == t.owner || who == _keeper(t) || who == t.legGateway) return false;
        if (who == t.usdc || who == t.factory || who == _implementation) return false;
        return !IVaultRegistry(t.factory).isVault(who) && !_listsTarget(_pinnedBytes(), who);
    }

    function _setAgent(PinnedTerms memory t, address agent_) private {
        address previous = _currentAgent(t);
        if (previous == agent_) return;
        _agent = agent_;
        _agentChanged = true;
        emit AgentSet(agent_, previous);
    }

    function _stop(uint8 reason) private {
        stopReason = reason;
        stoppedAt = uint64(block.timestamp);
        emit Stopped(reason, msg.sender, uint64(block.timestamp));
    }

    function _isOpen(PinnedTerms memory t) internal view returns (bool) {
        return stopReason == 0 && block.timestamp < t.endsAt;
    }

    function _requireOpen(PinnedTerms memory t) internal view {
        if (stopReason != 0) revert MandateStopped(stopReason);
        if (block.timestamp >= t.endsAt) revert MandateEnded(uint64(t.endsAt));
    }

    function _requireNotPaused(PinnedTerms memory t) internal view {
        if (_currentAgent(t) == address(0)) revert MandateStopped(PAUSED);
    }

    function _requireClosed(PinnedTerms memory t) internal view {
        if (_isOpen(t)) revert NotClosed();
    }

    /// @dev When the vault closed: its stop or its end, the earlier. Only for a closed vault.
    function _closedAt(PinnedTerms memory t) internal view returns (uint256) {
        return stopReason != 0 ? Math.min(stoppedAt, t.endsAt) : t.endsAt;
    }

    function _withdrawLock(PinnedTerms memory t) private view returns (uint8 reason, uint64 until) {
        if (stopReason != 0) return (0, 0);
        if (block.timestamp < t.endsAt) return (LOCK_OPEN, uint64(t.endsAt));
        uint64 graceEnds = uint64(t.endsAt) + SETTLE_GRACE;
        if (!settled && block.timestamp < graceEnds) return (LOCK_GRACE, graceEnds);
    }

    // ---- Limits

    function _usage() private view returns (uint64 day, uint256 used) {
        day = uint64(block.timestamp / 1 days);
        if (day == _usedDay) used = _usedAmount;
    }

    function _requireWithinCaps(PinnedTerms memory t, uint256 amount) private view {
        if (amount > t.perTxCap) revert OverPerTxCap(amount, t.perTxCap);
        (, uint256 used) = _usage();
        uint256 left = t.dailyCap - used;
        if (amount > left) revert OverDailyCap(amount, left);
    }

    function _recordExecution(address target, bytes4 selector, uint256 approved, uint128 spent, uint128 received)
        private
    {
        (uint64 day, uint256 used) = _usage();
        used += spent;
        _usedDay = day;
        _usedAmount = uint128(used);
        accounted = accounted - spent + received;
        emit Executed(msg.sender, target, selector, approved, spent, received, day, used);
    }

    // ---- Calls

    /// @dev A call to an account without code always succeeds.
    function _hasSelector(address target, bytes calldata data) private view returns (bool) {
        return data.length >= 4 && target.code.length != 0;
    }

    function _isCallable(bytes memory pinned, address target, bytes calldata data) private view returns (bool) {
        return _hasSelector(target, data) && _lists(pinned, target, bytes4(data));
    }

    /// @dev Lets `target` pull up to `allowed` during one call. `spent` is the amount that it pulled, measured by the
    /// allowance; `received` the other income, measured by the balance. A pull that is returned counts in both.
    function _callWithAllowance(IERC20 usdc, address target, bytes memory data, uint256 allowed)
        internal
        returns (uint128 spent, uint128 received)
    {
        uint256 balanceBefore = usdc.balanceOf(address(this));
        if (allowed != 0) usdc.forceApprove(target, allowed);
        _call(target, data);
        uint256 unused = usdc.allowance(address(this), target);
        if (unused != 0) usdc.forceApprove(target, 0);
        spent = SafeCast.toUint128(allowed - unused);
        uint256 balanceAfter = usdc.balanceOf(address(this));
        if (balanceAfter + spent < balanceBefore) revert SpendMismatch(spent, balanceBefore - balanceAfter);
        received = SafeCast.toUint128(balanceAfter + spent - balanceBefore);
    }

    /// @dev Sends no value and ignores return data. A failure reverts with the vault's own error, so that a target can
    /// neither imitate a refusal of the vault nor make the caller pay for copying its return data.
    function _call(address target, bytes memory data) private {
        if (LowLevelCall.callNoReturn(target, data)) return;
        bytes memory reason = new bytes(Math.min(LowLevelCall.returnDataSize(), REASON_BYTES_MAX));
        assembly ("memory-safe") {
            returndatacopy(add(reason, 0x20), 0, mload(reason))
        }
        revert TargetCallFailed(target, reason);
    }
}
