// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMandateVault} from "../../contracts/IMandateVault.sol";
import {MandateVault} from "../../contracts/MandateVault.sol";
import {Cause} from "./Ledger.sol";
import {Rules} from "./Rules.sol";

/// The vault's calls, each made, compared with its prediction, and booked.
abstract contract Actions is Rules {
    bytes32 internal market = "RAIN";

    function _deposit(uint256 i, uint256 amount) internal {
        bytes4 expected = _depositError(i, amount);
        _mint(terms[i].owner, amount);
        (bool ok, bytes memory answer) = _attempt(
            i, Cause.Deposit, terms[i].owner, address(vaults[i]), abi.encodeCall(MandateVault.deposit, (amount))
        );
        _expect(ok, answer, expected, "deposit");
        if (ok) books[i].recognised += _recognisable(i);
    }

    function _execute(uint256 i, address target, bytes memory data, uint256 approve) internal returns (bool ok) {
        bytes4 expected = _executeError(i, terms[i].agent, _isListed(i, target, bytes4(data)), approve);
        uint256 recognised = _recognisable(i);
        bytes memory answer;
        (ok, answer) = _attempt(
            i,
            Cause.Execute,
            terms[i].agent,
            address(vaults[i]),
            abi.encodeCall(MandateVault.execute, (target, data, approve))
        );
        if (expected != OK) _expect(ok, answer, expected, "I9 execute");
        else if (!ok) _expect(ok, answer, IMandateVault.TargetCallFailed.selector, "execute");
        if (!ok) return false;
        _atMost(books[i].callPulled, approve, "I2 pulled above the approval");
        _atMost(books[i].callPulled, terms[i].perTxCap, "I2 pulled above the per-transaction cap");
        _atMost(pulledOn[i][_today()], terms[i].dailyCap, "I2 pulled above the daily cap");
        books[i].recognised += recognised;
    }

    function _unwind(uint256 i, address who, address target, bytes memory data)
        internal
        returns (bool ok, bytes memory answer)
    {
        return _attempt(i, Cause.Unwind, who, address(vaults[i]), abi.encodeCall(MandateVault.unwind, (target, data)));
    }

    function _withdraw(uint256 i) internal returns (bool ok) {
        bytes4 expected = _withdrawError(i);
        uint256 surplus = _surplus(i);
        bytes memory answer;
        (ok, answer) = _attempt(
            i, Cause.Withdraw, terms[i].owner, address(vaults[i]), abi.encodeCall(MandateVault.withdrawAll, ())
        );
        _expect(ok, answer, expected, "withdrawAll");
        if (!ok) return false;
        books[i].surplusReturned += surplus;
        books[i].feeTotal = _feeDue(i);
        _same(vaults[i].feeTotal(), _feeDue(i), "the fee on realised profit is taken at every withdrawal");
        _same(usdc.balanceOf(address(vaults[i])), vaults[i].feeOwed(), "I12 a withdrawal leaves the fee only");
    }

    function _settle(uint256 i, address who) internal {
        bytes4 expected = _settleError(i, who);
        (bool ok, bytes memory answer) =
            _attempt(i, Cause.Nothing, who, address(vaults[i]), abi.encodeCall(MandateVault.settle, ()));
        _expect(ok, answer, expected, "I10 settle");
        if (!ok) return;
        books[i].settled = true;
        books[i].feeTotal = _feeDue(i);
        books[i].settledGross = _accounted(i) + books[i].toOwner - books[i].surplusReturned + books[i].feeTotal;
    }

    function _claimFee(uint256 i, address who) internal {
        (bool ok,) = _attempt(i, Cause.ClaimFee, who, address(vaults[i]), abi.encodeCall(MandateVault.claimFee, ()));
        if (ok) _same(books[i].feesPaid, books[i].feeTotal, "I6 a claim pays all that is owed");
    }

    function _isListed(uint256 i, address target, bytes4 selector) internal view returns (bool) {
        for (uint256 n = 0; n < terms[i].calls.length; n++) {
            if (terms[i].calls[n].target == target && terms[i].calls[n].selector == selector) return true;
        }
        return false;
    }

    /// Returns an amount around one of two limits, or any amount up to the second.
    function _edge(uint256 seed, uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 kind = seed % 16;
        if (kind == 0) return a;
        if (kind == 1) return a + 1;
        if (kind == 2) return b;
        if (kind == 3) return b + 1;
        if (kind == 4) return 0;
        return bound(seed / 16, 0, b);
    }
}
