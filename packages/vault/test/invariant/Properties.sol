// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Handler} from "./Handler.sol";
import {Book} from "./Ledger.sol";
import {Told} from "./Record.sol";

/// The invariants I1 to I14 as properties of one state: the vaults' views on one side, the books on the other; and I15,
/// that their events alone tell a reader the same.
contract Properties is Handler {
    bytes32[VAULTS] private pinned;

    constructor() {
        for (uint256 i = 0; i < VAULTS; i++) {
            pinned[i] = _fingerprint(i);
        }
    }

    function check() external view {
        for (uint256 i = 0; i < VAULTS; i++) {
            if (touched & (1 << i) == 0) continue;
            _checkMoney(i);
            _checkFee(i);
            _checkLimits(i);
            _checkState(i);
            _checkRecord(i);
        }
        if (touched >> 2 != 0) _checkLegs();
    }

    function _checkMoney(uint256 i) private view {
        Book storage b = books[i];
        uint256 balance = usdc.balanceOf(address(vaults[i]));
        _same(usdc.allowance(address(vaults[i]), address(venue)), 0, "I1 allowance at the venue");
        _same(usdc.allowance(address(vaults[i]), address(hostile)), 0, "I1 allowance at the hostile target");
        _same(usdc.allowance(address(vaults[i]), address(gateway)), 0, "I1 allowance at the gateway");
        _same(usdc.allowance(address(gateway), address(vaults[i])), 0, "I1 allowance of the gateway");
        _atMost(vaults[i].accounted() + vaults[i].feeOwed(), balance, "I3 the balance covers the ledger");
        _same(
            balance + b.pulled + b.legFunded + b.toOwner + b.feesPaid,
            b.deposited + b.direct + b.received + b.legReturned,
            "I4 conservation"
        );
        _same(vaults[i].accounted(), _accounted(i), "I4 accounted");
        _same(vaults[i].withdrawn(), b.toOwner - b.surplusReturned, "I4 withdrawn");
        _same(vaults[i].principal(), _principal(i), "I5 principal is what came in and was recognised");
        _atMost(vaults[i].principal(), terms[i].budget, "I5 principal within the budget");
    }

    function _checkFee(uint256 i) private view {
        _atMost(vaults[i].feeTotal(), _feeDue(i), "I6 no more fee than the share of realised profit");
        _same(vaults[i].feeTotal(), books[i].feeTotal, "I6 fee as booked");
        _same(vaults[i].feeTotal(), vaults[i].feeOwed() + books[i].feesPaid, "I6 owed and claimed");
    }

    function _checkLimits(uint256 i) private view {
        (uint64 day, uint256 used, uint256 left) = vaults[i].usage();
        _same(day, _today(), "I14 day");
        _same(used, pulledOn[i][_today()], "I14 used is the gross amount pulled today");
        _same(used + left, terms[i].dailyCap, "I14 used and left");
        _same(_fingerprint(i), pinned[i], "I8 terms and calls never change");
    }

    function _checkState(uint256 i) private view {
        Book storage b = books[i];
        _same(vaults[i].settled(), b.settled, "I10 settled");
        _same(vaults[i].stoppedAt(), b.stoppedAt, "I10 stoppedAt");
        _same(vaults[i].stopReason(), b.stopReason, "I10 stop reason");
        _same(vaults[i].agent(), b.revoked ? address(0) : terms[i].agent, "agent");
        _same(vaults[i].phase(), _phase(i), "phase");
        _same(vaults[i].markedAt(), b.markedAt, "markedAt");
        _same(vaults[i].lastWorth(), b.lastWorth, "lastWorth");
        (uint8 lock, uint64 until) = vaults[i].withdrawLock();
        bool grace = _isEnded(i) && block.timestamp < terms[i].endsAt + GRACE;
        uint8 expected = b.stoppedAt != 0 || b.settled ? 0 : _isOpen(i) ? 1 : grace ? 2 : 0;
        _same(lock, expected, "withdraw lock");
        _same(until, expected == 0 ? 0 : expected == 1 ? terms[i].endsAt : terms[i].endsAt + GRACE, "locked until");
    }

    function _checkRecord(uint256 i) private view {
        Book storage b = books[i];
        Told storage t = told[i];
        _same(t.deposited, b.deposited, "I15 Deposited");
        _same(t.recognised, b.recognised, "I15 DirectDeposit");
        _same(t.principal, _principal(i), "I15 principal");
        _same(t.pulled, b.pulled, "I15 Executed.spent");
        _same(t.received, b.received, "I15 Executed.received and Unwound");
        _same(t.usedToday, pulledOn[i][uint64(t.usedDay)], "I15 Executed.usedToday");
        _same(t.legFunded, b.legFunded, "I15 LegFunded");
        _same(t.legReturned, b.legReturned, "I15 LegReturned");
        _same(t.legOut, b.legOut, "I15 legOut");
        _same(t.legOpen, b.legOpen, "I15 LegReturned.last");
        _same(t.toOwner, b.toOwner, "I15 Withdrawn");
        _same(t.feeTotal, b.feeTotal, "I15 fees accrued");
        _same(t.feesPaid, b.feesPaid, "I15 FeeClaimed");
        _same(t.agent, b.revoked ? address(0) : terms[i].agent, "I15 AgentSet");
        _same(t.settled, b.settled, "I15 Settled");
        _same(t.settledGross, b.settledGross, "I15 Settled.gross");
        _same(t.stopReason, b.stopReason, "I15 Stopped.reason");
        _same(t.stoppedAt, b.stoppedAt, "I15 Stopped.stoppedAt");
        _same(t.markedAt, b.markedAt, "I15 Marked.asOf");
        _same(t.lastWorth, b.lastWorth, "I15 Marked.worth");
    }

    function _checkLegs() private view {
        uint256 total;
        for (uint256 i = 2; i < VAULTS; i++) {
            _same(vaults[i].legOut(), books[i].legOut, "I11 leg money as booked");
            _atMost(vaults[i].legOut(), terms[i].legBudget, "I11 leg budget");
            _same(vaults[i].legOut(), gateway.outstanding(address(vaults[i])), "I11 vault and gateway agree");
            _same(vaults[i].legOpen(), books[i].legOpen, "I11 leg open");
            _same(vaults[i].legFunded(), books[i].legFunded, "I11 leg funded");
            _same(vaults[i].legReturned(), books[i].legReturned, "I11 leg returned");
            total += books[i].legOut;
        }
        _same(gateway.totalOutstanding(), total, "I11 the gateway's sum");
        _atMost(total, usdc.balanceOf(address(gateway)), "I11 the gateway holds what is outstanding");
    }

    function _phase(uint256 i) private view returns (uint8) {
        if (books[i].settled) return 4;
        if (books[i].stoppedAt != 0) return 2;
        if (_isEnded(i)) return 3;
        return books[i].revoked ? 1 : 0;
    }

    function _fingerprint(uint256 i) private view returns (bytes32) {
        (bool ok, bytes memory answer) = address(vaults[i]).staticcall(abi.encodeCall(vaults[i].terms, ()));
        vm.assertTrue(ok, "terms");
        return keccak256(abi.encode(answer, vaults[i].calls()));
    }

    /// I13, then the lower bound of the fee: from any state the owner is free a day and a second after the end, and
    /// once every position is closed and all money is out, exactly the due fee has been taken.
    function leave() external {
        uint256 last;
        for (uint256 i = 0; i < VAULTS; i++) {
            if (terms[i].endsAt > last) last = terms[i].endsAt;
        }
        if (block.timestamp < last + GRACE + 1) vm.warp(last + GRACE + 1);
        for (uint256 i = 0; i < VAULTS; i++) {
            vm.assertTrue(_withdraw(i), "I13 the owner can leave");
            _closePositions(i);
            _topUp(7e6);
            if (books[i].legOpen) _giveBack(i, books[i].legOut + 7e6, true);
            vm.assertTrue(_withdraw(i), "I13 the owner can leave again");
            _same(vaults[i].feeTotal(), _feeDue(i), "the fee due on realised profit, no less");
            _claimFee(i, address(this));
            _same(usdc.balanceOf(address(vaults[i])), 0, "a vault that was left is empty");
        }
    }
}
