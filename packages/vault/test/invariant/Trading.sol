// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateVault} from "../../contracts/MandateVault.sol";
import {MandateVaultV2} from "../../contracts/MandateVaultV2.sol";
import {TestLegGateway} from "../../contracts/TestLegGateway.sol";
import {TestVenue} from "../../contracts/TestVenue.sol";
import {Actions} from "./Actions.sol";
import {Ending, HostileTarget, Play} from "./HostileTarget.sol";
import {Book, Cause} from "./Ledger.sol";

/// What an open vault sees: money in, trades, attacks, marks, leg money.
abstract contract Trading is Actions {
    uint256 private refs;

    function deposit(uint256 vault, uint256 seed) external step {
        uint256 i = vault % VAULTS;
        _deposit(i, _edge(seed, terms[i].budget - _principal(i), 400e6));
    }

    function donate(uint256 vault, uint256 seed) external step {
        uint256 i = vault % VAULTS;
        uint256 amount = _edge(seed, terms[i].budget - _principal(i), 30e6);
        _mint(address(this), amount);
        _attempt(
            i, Cause.Nothing, address(this), address(usdc), abi.encodeCall(usdc.transfer, (address(vaults[i]), amount))
        );
    }

    function buy(uint256 vault, uint256 seed) external step {
        uint256 i = vault % VAULTS;
        uint256 amount = _spend(i, seed);
        _execute(i, address(venue), abi.encodeCall(TestVenue.buy, (market, amount, 0)), amount);
    }

    function sell(uint256 vault, uint256 seed) external step {
        uint256 i = vault % VAULTS;
        uint256 held = venue.units(address(vaults[i]), market);
        if (held == 0) return;
        _execute(i, address(venue), abi.encodeCall(TestVenue.sell, (market, bound(seed, held / 2 + 1, held), 0)), 0);
    }

    function attack(uint256 vault, uint256 seed, uint256 take, uint256 give, uint256 leak, uint256 inner)
        external
        step
    {
        uint256 i = vault % VAULTS;
        uint256 approve = _spend(i, seed);
        Play memory p;
        p.take = take % 3 == 0 ? bound(take, 0, approve) : take % 3 == 1 ? approve : approve + 1;
        p.give = give % 3 == 0 ? bound(give, 0, 400e6) : 0;
        if (leak % 4 == 0) (p.leakTo, p.leak) = (address(vaults[(i + 1) % VAULTS]), bound(leak, 1, 50e6));
        if (inner % 2 == 0) (p.wallet, p.to, p.inner) = (agents[i], address(vaults[i]), _inner(i, inner / 2));
        p.ending = Ending(seed % 8 < 5 ? seed % 8 : 0);
        uint256 reentered = hostile.reentered();
        _execute(i, address(hostile), abi.encodeCall(HostileTarget.play, (p)), approve);
        _same(hostile.reentered(), reentered, "a call back into the vault went through");
    }

    function executeUnlisted(uint256 vault, uint256 seed, bytes4 selector) external step {
        uint256 i = vault % VAULTS;
        address[4] memory targets = [address(usdc), address(venue), address(gateway), address(vaults[(i + 1) % VAULTS])];
        bytes memory data = abi.encodeWithSelector(selector, OPERATOR, seed, seed);
        if (_isListed(i, targets[seed % 4], selector)) return;
        _execute(i, targets[seed % 4], data, bound(seed, 0, terms[i].perTxCap));
    }

    function pause(uint256 vault) external step {
        uint256 i = vault % VAULTS;
        _attempt(i, Cause.Nothing, terms[i].owner, address(vaults[i]), abi.encodeCall(MandateVault.revokeAgent, ()));
        books[i].revoked = true;
    }

    function resume(uint256 vault) external step {
        uint256 i = vault % VAULTS;
        bytes4 expected = _resumeError(i);
        (bool ok, bytes memory answer) = _attempt(
            i,
            Cause.Nothing,
            terms[i].owner,
            address(vaults[i]),
            abi.encodeCall(MandateVault.setAgent, (address(agents[i])))
        );
        _expect(ok, answer, expected, "setAgent");
        if (ok) books[i].revoked = false;
    }

    function mark(uint256 vault, uint256 worth, uint256 age) external step {
        uint256 i = vault % VAULTS;
        uint64 asOf = uint64(block.timestamp + 10 - bound(age, 0, 1 hours + 20));
        uint256[4] memory worths =
            [_accounted(i), terms[i].stopLine, terms[i].stopLine + 1, _accounted(i) + worth % 900e6];
        worth = worths[worth % 4];
        bytes4 expected = _markError(i, worth, asOf);
        (bool ok, bytes memory answer) = _attempt(
            i, Cause.Nothing, keeper, address(vaults[i]), abi.encodeCall(MandateVault.markWorth, (worth, asOf))
        );
        _expect(ok, answer, expected, "markWorth");
        if (!ok) return;
        (books[i].markedAt, books[i].lastWorth) = (asOf, worth);
        if (_isOpen(i) && terms[i].stopLine != 0 && worth <= terms[i].stopLine) {
            (books[i].stoppedAt, books[i].stopReason) = (uint64(block.timestamp), 2);
        }
    }

    function fundLeg(uint256 vault, uint256 seed) external step {
        uint256 i = 2 + vault % 2;
        uint256 amount = _edge(seed, terms[i].legBudget - books[i].legOut, _accounted(i) + _recognisable(i));
        bytes4 expected = _fundLegError(i, amount);
        uint256 recognised = _recognisable(i);
        (bool ok, bytes memory answer) =
            _attempt(i, Cause.FundLeg, keeper, address(vaults[i]), abi.encodeCall(MandateVaultV2.fundLeg, (amount)));
        _expect(ok, answer, expected, "fundLeg");
        if (!ok) return;
        books[i].recognised += recognised;
        books[i].legOut += amount;
        books[i].legOpen = true;
    }

    function giveBack(uint256 vault, uint256 seed, bool last, bool covered) external step {
        uint256 i = 2 + vault % 2;
        uint256 amount = _edge(seed, _free() + books[i].legOut, books[i].legOut);
        if (covered) _topUp(amount);
        _giveBack(i, amount, last);
    }

    function sweep(uint256 seed) external step {
        uint256 free = _free();
        uint256 amount = _edge(seed, free, usdc.balanceOf(address(gateway)));
        (bool ok, bytes memory answer) = _attempt(
            2, Cause.Nothing, OPERATOR, address(gateway), abi.encodeCall(TestLegGateway.sweep, (OPERATOR, amount))
        );
        _expect(ok, answer, amount > free ? TestLegGateway.PoolLow.selector : OK, "I11 sweep");
    }

    function _topUp(uint256 amount) internal {
        _mint(OPERATOR, amount);
        vm.prank(OPERATOR);
        usdc.approve(address(gateway), amount);
        vm.prank(OPERATOR);
        gateway.topUp(amount);
    }

    function _giveBack(uint256 i, uint256 amount, bool last) internal {
        bytes4 expected = _giveBackError(i, amount, last);
        bytes memory data = abi.encodeCall(TestLegGateway.giveBack, (address(vaults[i]), amount, last, bytes32(++refs)));
        (bool ok, bytes memory answer) = _attempt(i, Cause.LegReturn, OPERATOR, address(gateway), data);
        _expect(ok, answer, expected, "I11 giveBack");
        if (!ok) return;
        Book storage b = books[i];
        b.legOut = last || amount > b.legOut ? 0 : b.legOut - amount;
        b.legOpen = !last;
    }

    /// Returns an amount around the limits of a spend: the per-transaction cap, the rest of the day, the vault's money.
    function _spend(uint256 i, uint256 seed) private view returns (uint256) {
        uint256 left = terms[i].dailyCap - pulledOn[i][_today()];
        uint256 funds = _accounted(i) + _recognisable(i);
        return _edge(seed / 8, left < funds ? left : funds, terms[i].perTxCap);
    }

    /// What an agent may try from inside a target.
    function _inner(uint256 i, uint256 seed) internal view returns (bytes memory) {
        Play memory nothing;
        bytes[8] memory calls = [
            abi.encodeCall(MandateVault.execute, (address(hostile), abi.encodeCall(HostileTarget.play, (nothing)), 0)),
            abi.encodeCall(
                MandateVault.execute, (address(venue), abi.encodeCall(TestVenue.buy, (market, 1e6, 0)), 1e6)
            ),
            abi.encodeCall(MandateVault.unwind, (address(hostile), abi.encodeCall(HostileTarget.play, (nothing)))),
            abi.encodeCall(MandateVault.claimFee, ()),
            abi.encodeCall(MandateVault.settle, ()),
            abi.encodeCall(MandateVault.withdrawAll, ()),
            abi.encodeCall(MandateVault.rescue, (address(venue))),
            abi.encodeCall(MandateVaultV2.onLegReturn, (0, true))
        ];
        i;
        return calls[seed % 8];
    }
}
