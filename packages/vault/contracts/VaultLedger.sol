// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IMandateVault} from "./IMandateVault.sol";
import {PinnedTerms} from "./MandateTerms.sol";

/// @title The money of a vault, by its own books
/// @notice The books never depend on a mark. They use the token's balance only as a difference around a call, or to find
/// direct transfers. So a donation can change neither the fee nor the budget.
/// Always: balance of the token >= accounted + feeOwed, and principal <= budget.
abstract contract VaultLedger is IMandateVault {
    using SafeERC20 for IERC20;

    uint256 private constant BPS = 10_000;

    /// @notice Paid in so far: deposits, and direct transfers as far as the budget had room.
    uint128 public principal;
    /// @notice The vault's money that it may spend, send to the leg or pay out, without the fee.
    uint128 public accounted;
    /// @notice Paid out to the owner so far, without direct transfers beyond the budget.
    uint128 public withdrawn;
    /// @notice Fee so far, claimed or not.
    uint128 public feeTotal;
    /// @notice Fee that `claimFee` will pay.
    uint128 public feeOwed;

    /// @dev Transfers `amount` from `from` and returns the amount that arrived: less for a token with a transfer fee, and
    /// never more, so that a concurrent transfer is not included.
    function _pull(IERC20 usdc, address from, uint256 amount) internal returns (uint128) {
        uint256 balanceBefore = usdc.balanceOf(address(this));
        usdc.safeTransferFrom(from, address(this), amount);
        uint256 arrived = usdc.balanceOf(address(this)) - balanceBefore;
        return SafeCast.toUint128(Math.min(arrived, amount));
    }

    /// @dev Books direct transfers as paid in, as far as the budget has room. The rest is not booked: the agent cannot use
    /// it, and the owner withdraws it free of fee.
    function _recogniseDirect(PinnedTerms memory t) internal {
        uint256 balance = IERC20(t.usdc).balanceOf(address(this));
        uint256 surplus = Math.saturatingSub(balance, uint256(accounted) + feeOwed);
        uint128 amount = SafeCast.toUint128(Math.min(surplus, t.budget - principal));
        if (amount == 0) return;
        accounted += amount;
        principal += amount;
        emit DirectDeposit(amount, principal);
    }

    /// @dev All money realised so far.
    function _gross() internal view returns (uint256) {
        return uint256(withdrawn) + accounted + feeTotal;
    }

    /// @dev Raises the fee to its share of the profit realised so far, computed from the beginning each time, so that the
    /// order and number of unwindings, settlements and withdrawals do not change the total.
    function _accrueFee(PinnedTerms memory t) internal returns (uint128 fee) {
        uint256 profit = Math.saturatingSub(_gross(), principal);
        uint256 due = (profit * t.feeBps) / BPS;
        fee = SafeCast.toUint128(Math.min(Math.saturatingSub(due, feeTotal), accounted));
        accounted -= fee;
        feeTotal += fee;
        feeOwed += fee;
    }
}
