// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMandateVault} from "../../contracts/IMandateVault.sol";
import {MandateVault} from "../../contracts/MandateVault.sol";
import {TestVenue} from "../../contracts/TestVenue.sol";
import {HostileTarget, Play} from "./HostileTarget.sol";
import {Cause} from "./Ledger.sol";
import {Trading} from "./Trading.sol";

/// How a vault closes and is emptied, in every order: stop, unwind, settle, withdraw, claim.
abstract contract Closing is Trading {
    /// Stops a vault every other time only, so that it lives before.
    function stop(uint256 vault, bool really) external step {
        if (!really) return;
        uint256 i = vault % VAULTS;
        bytes4 expected = _stopError(i);
        (bool ok, bytes memory answer) =
            _attempt(i, Cause.Nothing, terms[i].owner, address(vaults[i]), abi.encodeCall(MandateVault.stop, ()));
        _expect(ok, answer, expected, "stop");
        if (!ok) return;
        books[i].revoked = true;
        if (books[i].stoppedAt == 0) (books[i].stoppedAt, books[i].stopReason) = (uint64(block.timestamp), 1);
    }

    function unwindPosition(uint256 vault, uint256 seed, bool byAgent) external step {
        uint256 i = vault % VAULTS;
        bytes32[] memory held = venue.held(address(vaults[i]));
        if (held.length == 0) return;
        bytes32 m = held[seed % held.length];
        (, bool resolved) = venue.markets(m);
        uint256 units = venue.units(address(vaults[i]), m);
        bytes memory data = resolved
            ? abi.encodeCall(TestVenue.redeem, (m))
            : abi.encodeCall(TestVenue.sell, (m, seed % 2 == 0 ? units : bound(seed, units / 2 + 1, units), 0));
        (bool ok, bytes memory answer) = _unwind(i, byAgent ? terms[i].agent : terms[i].owner, address(venue), data);
        if (byAgent && books[i].revoked) vm.assertTrue(!ok, "a revoked agent unwound");
        else if (_isOpen(i)) _expect(ok, answer, IMandateVault.NotClosed.selector, "unwind of an open vault");
        else vm.assertTrue(ok, "a position of a closed vault can be unwound");
    }

    /// The owner may unwind at a target that takes, pays, or calls back; nothing may leave the vault.
    function unwindHostile(uint256 vault, uint256 seed, uint256 give, uint256 inner) external step {
        uint256 i = vault % VAULTS;
        Play memory p;
        p.take = seed % 3 == 0 ? bound(seed, 1, 200e6) : 0;
        p.give = give % 2 == 0 ? bound(give, 0, 300e6) : 0;
        if (inner % 2 == 0) (p.wallet, p.to, p.inner) = (agents[i], address(vaults[i]), _inner(i, inner / 2));
        uint256 reentered = hostile.reentered();
        (bool ok,) = _unwind(i, terms[i].owner, address(hostile), abi.encodeCall(HostileTarget.play, (p)));
        _same(ok, !_isOpen(i) && p.take == 0, "unwind at a hostile target");
        _same(hostile.reentered(), reentered, "a call back into the vault went through");
    }

    function withdraw(uint256 vault) external step {
        _withdraw(vault % VAULTS);
    }

    function settle(uint256 vault, bool byKeeper) external step {
        _settle(vault % VAULTS, byKeeper ? keeper : address(0x57A4));
    }

    function claimFee(uint256 vault, address who) external step {
        _claimFee(vault % VAULTS, who);
    }

    /// Settle, withdraw, unwind and claim of a closed vault in any order: the sums may not depend on it.
    function reorderedExit(uint256 vault, uint256 order) external step {
        uint256 i = vault % VAULTS;
        for (uint256 n = 0; n < 6; n++) {
            uint256 kind = (order >> (8 * n)) % 4;
            if (kind == 0) _settle(i, keeper);
            else if (kind == 1) _withdraw(i);
            else if (kind == 2) _claimFee(i, address(this));
            else if (!_isOpen(i)) _closePositions(i);
        }
    }

    function warpHours(uint256 seed) external clockStep {
        vm.warp(block.timestamp + bound(seed, 1, 5 hours));
    }

    /// Moves the clock to the second before midnight, to midnight, or to the second after.
    function warpToMidnight(uint256 seed) external clockStep {
        uint256 midnight = (block.timestamp / 1 days + 1) * 1 days;
        vm.warp(midnight - 1 + seed % 3);
    }

    /// Moves the clock around the end of a vault's term, or around the end of its grace.
    function warpToEnd(uint256 vault, uint256 seed) external clockStep {
        if (seed % 4 != 0) return;
        uint256 end = terms[vault % VAULTS].endsAt + (seed / 4) % 3 * GRACE;
        uint256 at = end - 1 + (seed / 16) % 3;
        if (at > block.timestamp) vm.warp(at);
    }

    function movePrice(uint256 seed) external step {
        vm.prank(ADMIN);
        venue.setPrice(market, uint128(bound(seed, 0.05e6, 0.95e6)));
    }

    /// Resolves the market, which pays all or nothing, and opens another one.
    function resolve(bool won) external step {
        vm.prank(ADMIN);
        venue.resolve(market, won ? 1e6 : 0);
        market = keccak256(abi.encode(market));
        vm.prank(ADMIN);
        venue.setPrice(market, 0.5e6);
    }

    function _closePositions(uint256 i) internal {
        bytes32[] memory held = venue.held(address(vaults[i]));
        for (uint256 n = 0; n < held.length; n++) {
            uint256 units = venue.units(address(vaults[i]), held[n]);
            if (units == 0) continue;
            (, bool resolved) = venue.markets(held[n]);
            bytes memory data = resolved
                ? abi.encodeCall(TestVenue.redeem, (held[n]))
                : abi.encodeCall(TestVenue.sell, (held[n], units, 0));
            (bool ok,) = _unwind(i, terms[i].owner, address(venue), data);
            vm.assertTrue(ok, "the owner can close every position");
        }
    }
}
