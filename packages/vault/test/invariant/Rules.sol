// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMandateVault} from "../../contracts/IMandateVault.sol";
import {MandateVault} from "../../contracts/MandateVault.sol";
import {MandateVaultV2} from "../../contracts/MandateVaultV2.sol";
import {TestLegGateway} from "../../contracts/TestLegGateway.sol";
import {Ledger} from "./Ledger.sol";

/// The written rules of the vault as predictions: the error a call must end with, zero where it must succeed.
abstract contract Rules is Ledger {
    bytes4 internal constant OK = 0;

    function _executeError(uint256 i, address caller, bool listed, uint256 approve) internal view returns (bytes4) {
        if (books[i].stoppedAt != 0) return IMandateVault.MandateStopped.selector;
        if (_isEnded(i)) return IMandateVault.MandateEnded.selector;
        if (books[i].revoked) return IMandateVault.MandateStopped.selector;
        if (caller != terms[i].agent) return IMandateVault.NotAgent.selector;
        if (!listed) return IMandateVault.TargetNotAllowed.selector;
        if (approve > terms[i].perTxCap) return IMandateVault.OverPerTxCap.selector;
        if (approve > terms[i].dailyCap - pulledOn[i][_today()]) return IMandateVault.OverDailyCap.selector;
        if (approve > _accounted(i) + _recognisable(i)) return IMandateVault.InsufficientFunds.selector;
        return OK;
    }

    function _depositError(uint256 i, uint256 amount) internal view returns (bytes4) {
        if (books[i].stoppedAt != 0) return IMandateVault.MandateStopped.selector;
        if (_isEnded(i)) return IMandateVault.MandateEnded.selector;
        if (amount == 0) return IMandateVault.ZeroAmount.selector;
        return amount > terms[i].budget - _principal(i) ? IMandateVault.OverBudget.selector : OK;
    }

    function _withdrawError(uint256 i) internal view returns (bytes4) {
        if (books[i].stoppedAt != 0 || books[i].settled) return OK;
        return block.timestamp < terms[i].endsAt + GRACE ? IMandateVault.WithdrawLocked.selector : OK;
    }

    function _settleError(uint256 i, address caller) internal view returns (bytes4) {
        if (_isOpen(i)) return IMandateVault.NotClosed.selector;
        if (books[i].settled) return IMandateVault.AlreadySettled.selector;
        if (caller != keeper && block.timestamp < _closedAt(i) + GRACE) return IMandateVault.NotKeeper.selector;
        if (books[i].legOpen && block.timestamp < _closedAt(i) + 2 * GRACE) return MandateVaultV2.LegOpen.selector;
        return OK;
    }

    function _stopError(uint256 i) internal view returns (bytes4) {
        if (books[i].stoppedAt != 0) return OK;
        if (_hasLeg(i) && _isEnded(i) && !books[i].settled && block.timestamp < terms[i].endsAt + GRACE) {
            return IMandateVault.SettleGrace.selector;
        }
        return OK;
    }

    function _markError(uint256 i, uint256 worth, uint256 asOf) internal view returns (bytes4) {
        if (books[i].settled) return IMandateVault.AlreadySettled.selector;
        if (asOf > block.timestamp || asOf + 1 hours < block.timestamp || asOf <= books[i].markedAt) {
            return IMandateVault.StaleMark.selector;
        }
        return worth < _accounted(i) ? IMandateVault.BadMark.selector : OK;
    }

    function _fundLegError(uint256 i, uint256 amount) internal view returns (bytes4) {
        if (books[i].stoppedAt != 0) return IMandateVault.MandateStopped.selector;
        if (_isEnded(i)) return IMandateVault.MandateEnded.selector;
        if (books[i].revoked) return IMandateVault.MandateStopped.selector;
        if (amount == 0) return IMandateVault.ZeroAmount.selector;
        if (amount > terms[i].legBudget - books[i].legOut) return MandateVaultV2.OverLegBudget.selector;
        return amount > _accounted(i) + _recognisable(i) ? IMandateVault.InsufficientFunds.selector : OK;
    }

    function _giveBackError(uint256 i, uint256 amount, bool last) internal view returns (bytes4) {
        if (amount > _free() + books[i].legOut) return TestLegGateway.PoolLow.selector;
        if (!books[i].legOpen) return MandateVaultV2.NoLeg.selector;
        return amount == 0 && !last ? IMandateVault.ZeroAmount.selector : OK;
    }

    /// What the gateway holds beyond what the vaults sent.
    function _free() internal view returns (uint256) {
        return usdc.balanceOf(address(gateway)) - books[2].legOut - books[3].legOut;
    }

    function _resumeError(uint256 i) internal view returns (bytes4) {
        if (books[i].stoppedAt != 0) return IMandateVault.MandateStopped.selector;
        if (_isEnded(i)) return IMandateVault.MandateEnded.selector;
        return books[i].revoked ? OK : IMandateVault.NotPaused.selector;
    }

    function _expect(bool ok, bytes memory answer, bytes4 expected, string memory what) internal pure {
        _same(ok ? OK : bytes4(answer), expected, what);
    }
}
