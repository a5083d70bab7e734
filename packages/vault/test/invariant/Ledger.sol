// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Vm} from "../lib/T.sol";
import {Record} from "./Record.sol";

/// Why money of a vault may move in one call.
enum Cause {
    Nothing,
    Deposit,
    Execute,
    Unwind,
    FundLeg,
    LegReturn,
    Withdraw,
    ClaimFee
}

/// One vault's books, kept from the token's own Transfer logs and the written rules, never from the vault's views.
struct Book {
    uint256 deposited;
    uint256 direct;
    uint256 pulled;
    uint256 received;
    uint256 legFunded;
    uint256 legReturned;
    uint256 toOwner;
    uint256 feesPaid;
    // Of `direct`: what became principal, and what went back to the owner without being recognised.
    uint256 recognised;
    uint256 surplusReturned;
    uint256 feeTotal;
    uint256 legOut;
    bool legOpen;
    bool revoked;
    bool settled;
    uint256 settledGross;
    uint8 stopReason;
    uint64 stoppedAt;
    uint64 markedAt;
    uint256 lastWorth;
    // Gross amount pulled by the call that was booked last.
    uint256 callPulled;
}

/// Books every movement of USDC to or from a vault under the one cause it may have.
abstract contract Ledger is Record {
    Book[VAULTS] internal books;
    mapping(uint256 vault => mapping(uint64 day => uint256)) internal pulledOn;
    /// Vaults whose state may differ since the step before, one bit each: only these are worth checking again.
    uint256 internal touched;

    modifier step() {
        touched = 0;
        _;
    }

    /// The clock changes what every vault answers.
    modifier clockStep() {
        _;
        touched = (1 << VAULTS) - 1;
    }

    /// Makes the call as `who`, books what the token says moved, and replays what the vault says happened. A refused
    /// call must move nothing.
    function _attempt(uint256 i, Cause cause, address who, address to, bytes memory data)
        internal
        returns (bool ok, bytes memory answer)
    {
        touched |= 1 << i;
        vm.recordLogs();
        vm.prank(who);
        (ok, answer) = to.call(data);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        books[i].callPulled = 0;
        if (ok) {
            for (uint256 n = 0; n < logs.length; n++) {
                _bookTransfer(i, cause, logs[n]);
                _replay(i, who, logs[n]);
            }
        }
    }

    function _bookTransfer(uint256 i, Cause cause, Vm.Log memory log) private {
        if (log.emitter != address(usdc) || log.topics[0] != IERC20.Transfer.selector) return;
        address from = address(uint160(uint256(log.topics[1])));
        address to = address(uint160(uint256(log.topics[2])));
        uint256 amount = abi.decode(log.data, (uint256));
        for (uint256 v = 0; v < VAULTS; v++) {
            if (from == address(vaults[v])) {
                _same(v, i, "I7 money left a vault nobody called");
                _bookOut(i, cause, to, amount);
            }
            if (to == address(vaults[v])) _bookIn(v, v == i ? cause : Cause.Nothing, from, amount);
        }
    }

    function _bookOut(uint256 i, Cause cause, address to, uint256 amount) private {
        Book storage b = books[i];
        if (cause == Cause.Execute) {
            b.pulled += amount;
            b.callPulled += amount;
            pulledOn[i][_today()] += amount;
        } else if (cause == Cause.FundLeg) {
            _same(to, address(gateway), "leg money went elsewhere");
            b.legFunded += amount;
        } else if (cause == Cause.Withdraw) {
            _same(to, terms[i].owner, "a withdrawal went elsewhere");
            b.toOwner += amount;
        } else if (cause == Cause.ClaimFee) {
            _same(to, terms[i].feeRecipient, "the fee went elsewhere");
            b.feesPaid += amount;
        } else {
            _same(amount, 0, "I4 money left without a cause");
        }
    }

    function _bookIn(uint256 i, Cause cause, address from, uint256 amount) private {
        Book storage b = books[i];
        touched |= 1 << i;
        if (cause == Cause.Deposit && from == terms[i].owner) b.deposited += amount;
        else if (cause == Cause.Execute || cause == Cause.Unwind) b.received += amount;
        else if (cause == Cause.LegReturn && from == address(gateway)) b.legReturned += amount;
        else b.direct += amount;
    }

    function _today() internal view returns (uint64) {
        return uint64(block.timestamp / 1 days);
    }

    function _principal(uint256 i) internal view returns (uint256) {
        return books[i].deposited + books[i].recognised;
    }

    /// Direct transfers that are not principal and not yet back with the owner.
    function _surplus(uint256 i) internal view returns (uint256) {
        return books[i].direct - books[i].recognised - books[i].surplusReturned;
    }

    /// Direct transfers that the next recognising call turns into principal.
    function _recognisable(uint256 i) internal view returns (uint256) {
        uint256 room = terms[i].budget - _principal(i);
        return room < _surplus(i) ? room : _surplus(i);
    }

    /// What the vault holds for its owner, free of fee and without surplus.
    function _accounted(uint256 i) internal view returns (uint256) {
        Book storage b = books[i];
        return _principal(i) + b.received + b.legReturned + b.surplusReturned - b.pulled - b.legFunded - b.toOwner
            - b.feeTotal;
    }

    /// The cumulative fee due on what came back beyond what went out.
    function _feeDue(uint256 i) internal view returns (uint256) {
        Book storage b = books[i];
        uint256 back = b.received + b.legReturned;
        uint256 out = b.pulled + b.legFunded;
        return back > out ? (back - out) * terms[i].feeBps / 10_000 : 0;
    }

    function _isEnded(uint256 i) internal view returns (bool) {
        return block.timestamp >= terms[i].endsAt;
    }

    function _isOpen(uint256 i) internal view returns (bool) {
        return books[i].stoppedAt == 0 && !_isEnded(i);
    }

    /// The second at which the vault closed; meaningful once it is not open.
    function _closedAt(uint256 i) internal view returns (uint256) {
        uint64 stoppedAt = books[i].stoppedAt;
        return stoppedAt != 0 && stoppedAt < terms[i].endsAt ? stoppedAt : terms[i].endsAt;
    }
}
