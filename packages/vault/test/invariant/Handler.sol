// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateVault} from "../../contracts/MandateVault.sol";
import {MandateVaultFactory} from "../../contracts/MandateVaultFactory.sol";
import {MandateVaultV2} from "../../contracts/MandateVaultV2.sol";
import {TestLegGateway} from "../../contracts/TestLegGateway.sol";
import {Closing} from "./Closing.sol";
import {HostileTarget} from "./HostileTarget.sol";
import {Cause} from "./Ledger.sol";

/// Everything that may happen, with strangers who try any selector and a house that rotates its keeper's key.
contract Handler is Closing {
    bytes4[] private selectors = [
        MandateVault.execute.selector,
        MandateVault.unwind.selector,
        MandateVault.stop.selector,
        MandateVault.revokeAgent.selector,
        MandateVault.setAgent.selector,
        MandateVault.withdrawAll.selector,
        MandateVault.deposit.selector,
        MandateVault.markWorth.selector,
        MandateVault.settle.selector,
        MandateVault.claimFee.selector,
        MandateVault.rescue.selector,
        MandateVaultV2.fundLeg.selector,
        MandateVaultV2.onLegReturn.selector,
        TestLegGateway.fund.selector,
        TestLegGateway.topUp.selector,
        TestLegGateway.giveBack.selector,
        TestLegGateway.sweep.selector,
        TestLegGateway.bindFactory.selector,
        MandateVaultFactory.createVault.selector,
        MandateVaultFactory.setKeeper.selector,
        bytes4(keccak256("transferOwnership(address)")),
        bytes4(keccak256("initialize(address)"))
    ];

    /// Anybody who is not a party of this vault: parties of other vaults, its fee recipient, the pool's operator, the
    /// admin, passers-by.
    function stranger(uint256 vault, uint256 who, uint256 to, uint256 selector, uint256 a, uint256 b) external step {
        uint256 i = vault % VAULTS;
        uint256 other = (i + 1 + who % 3) % VAULTS;
        address[6] memory strangers = [
            terms[other].owner,
            terms[other].agent,
            terms[i].feeRecipient,
            ADMIN,
            OPERATOR,
            address(uint160(0x9000 + who % 9))
        ];
        address[4] memory targets = [address(vaults[i]), address(vaults[i]), address(gateway), address(factoryV2)];
        address caller = strangers[(who / 3) % 6];
        // The admin and the operator are strangers to the vaults only.
        address target = caller == ADMIN || caller == OPERATOR ? targets[0] : targets[to % 4];
        bytes4 chosen = selectors[selector % selectors.length];
        if (chosen == MandateVault.settle.selector) return _settle(i, caller);
        if (chosen == MandateVault.claimFee.selector) return _claimFee(i, caller);
        // Reads as words and as (address, bytes, amount) alike.
        bytes memory data = abi.encodePacked(
            chosen,
            abi.encode(a % 2 == 0 ? uint256(uint160(address(hostile))) : a, uint256(0x60), b, uint256(4)),
            HostileTarget.play.selector
        );
        (bool ok,) = _attempt(i, Cause.Nothing, caller, target, data);
        vm.assertTrue(!ok || target == address(gateway), "I7 a stranger's call went through");
    }

    function rescue(uint256 vault, bool byOwner) external step {
        uint256 i = vault % VAULTS;
        address who = byOwner ? terms[i].owner : address(0x57A4);
        (bool ok,) =
            _attempt(i, Cause.Nothing, who, address(vaults[i]), abi.encodeCall(MandateVault.rescue, (address(usdc))));
        vm.assertTrue(!ok, "USDC is not rescued past the fee");
    }

    /// One rotation at the factories covers every vault, and the old key is worth nothing at once.
    function rotateKeeper(uint160 seed) external step {
        address previous = keeper;
        keeper = address(0xEE00000000 + seed % 1000);
        vm.prank(ADMIN);
        factory.setKeeper(keeper);
        vm.prank(ADMIN);
        factoryV2.setKeeper(keeper);
        if (previous == keeper) return;
        for (uint256 i = 0; i < VAULTS; i++) {
            (bool ok,) = _attempt(
                i,
                Cause.Nothing,
                previous,
                address(vaults[i]),
                abi.encodeCall(MandateVault.markWorth, (type(uint128).max, uint64(block.timestamp)))
            );
            vm.assertTrue(!ok, "the previous keeper marks no more");
        }
    }
}
