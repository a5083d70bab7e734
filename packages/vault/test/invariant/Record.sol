// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMandateVault} from "../../contracts/IMandateVault.sol";
import {MandateVaultV2} from "../../contracts/MandateVaultV2.sol";
import {Vm} from "../lib/T.sol";
import {World} from "./World.sol";

/// What a reader of one vault's events alone would know: sums of the amounts, and the last of each running total.
struct Told {
    uint256 deposited;
    uint256 recognised;
    uint256 principal;
    uint256 pulled;
    uint256 received;
    uint256 usedDay;
    uint256 usedToday;
    uint256 legFunded;
    uint256 legReturned;
    uint256 legOut;
    uint256 legSeq;
    bool legOpen;
    uint256 toOwner;
    uint256 feeTotal;
    uint256 feesPaid;
    address agent;
    bool settled;
    uint256 settledGross;
    uint8 stopReason;
    uint256 stoppedAt;
    uint256 markedAt;
    uint256 lastWorth;
}

/// Replays the events of the vaults. Who an event names is compared with who called, at once; the sums are compared
/// with the books by the invariants.
abstract contract Record is World {
    Told[VAULTS] internal told;

    constructor() {
        for (uint256 i = 0; i < VAULTS; i++) {
            told[i].agent = terms[i].agent;
        }
    }

    function _replay(uint256 i, address caller, Vm.Log memory log) internal {
        for (uint256 v = 0; v < VAULTS; v++) {
            if (log.emitter == address(vaults[v])) _same(v, i, "an event of a vault nobody called");
        }
        if (log.emitter != address(vaults[i])) return;
        if (_replayMoney(i, caller, log) || _replayLeg(i, log) || _replayState(i, caller, log)) return;
        vm.assertTrue(false, "an event that no reader knows");
    }

    function _replayMoney(uint256 i, address caller, Vm.Log memory log) private returns (bool) {
        Told storage t = told[i];
        bytes32 kind = log.topics[0];
        uint256 amount = _word(log, 0);
        if (kind == IMandateVault.Deposited.selector) {
            _same(_topic(log, 1), caller, "Deposited.from");
            (t.deposited, t.principal) = (t.deposited + amount, _word(log, 1));
        } else if (kind == IMandateVault.DirectDeposit.selector) {
            (t.recognised, t.principal) = (t.recognised + amount, _word(log, 1));
        } else if (kind == IMandateVault.Executed.selector) {
            _same(_topic(log, 1), caller, "Executed.agent");
            (t.pulled, t.received) = (t.pulled + _word(log, 1), t.received + _word(log, 2));
            (t.usedDay, t.usedToday) = (_word(log, 3), _word(log, 4));
        } else if (kind == IMandateVault.Unwound.selector) {
            _same(_topic(log, 1), caller, "Unwound.by");
            t.received += amount;
        } else if (kind == IMandateVault.Withdrawn.selector) {
            _same(_topic(log, 1), terms[i].owner, "Withdrawn.to");
            (t.toOwner, t.feeTotal) = (t.toOwner + amount, t.feeTotal + _word(log, 1));
        } else if (kind == IMandateVault.FeeClaimed.selector) {
            _same(_topic(log, 1), terms[i].feeRecipient, "FeeClaimed.to");
            t.feesPaid += amount;
        } else {
            return false;
        }
        return true;
    }

    function _replayLeg(uint256 i, Vm.Log memory log) private returns (bool) {
        Told storage t = told[i];
        if (log.topics[0] == MandateVaultV2.LegFunded.selector) {
            _same(uint256(log.topics[1]), t.legSeq + 1, "LegFunded.seq");
            (t.legSeq, t.legOpen) = (t.legSeq + 1, true);
            t.legFunded += _word(log, 0);
        } else if (log.topics[0] == MandateVaultV2.LegReturned.selector) {
            _same(uint256(log.topics[1]), t.legSeq, "LegReturned.seq");
            t.legReturned += _word(log, 0);
            t.legOpen = _word(log, 2) == 0;
        } else {
            return false;
        }
        t.legOut = _word(log, 1);
        return true;
    }

    function _replayState(uint256 i, address caller, Vm.Log memory log) private returns (bool) {
        Told storage t = told[i];
        bytes32 kind = log.topics[0];
        if (kind == IMandateVault.AgentSet.selector) {
            _same(_topic(log, 2), t.agent, "AgentSet.previous");
            t.agent = _topic(log, 1);
        } else if (kind == IMandateVault.Stopped.selector) {
            _same(_topic(log, 2), caller, "Stopped.by");
            (t.stopReason, t.stoppedAt) = (uint8(uint256(log.topics[1])), _word(log, 0));
        } else if (kind == IMandateVault.Marked.selector) {
            _same(_topic(log, 1), caller, "Marked.keeper");
            (t.lastWorth, t.markedAt) = (_word(log, 0), _word(log, 1));
        } else if (kind == IMandateVault.Settled.selector) {
            _same(_topic(log, 1), caller, "Settled.by");
            _same(t.settled, false, "Settled twice");
            (t.settled, t.settledGross) = (true, _word(log, 0));
            _same(_word(log, 1), t.principal, "Settled.principal");
            t.feeTotal += _word(log, 2);
        } else {
            return false;
        }
        return true;
    }

    function _topic(Vm.Log memory log, uint256 n) private pure returns (address) {
        return address(uint160(uint256(log.topics[n])));
    }

    function _word(Vm.Log memory log, uint256 n) private pure returns (uint256 word) {
        bytes memory data = log.data;
        if (data.length < (n + 1) * 32) return 0;
        assembly ("memory-safe") {
            word := mload(add(add(data, 0x20), mul(n, 0x20)))
        }
    }
}
