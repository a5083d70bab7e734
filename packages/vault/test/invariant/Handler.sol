// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {MandateVault} from "../../contracts/MandateVault.sol";
import {MandateVaultFactory} from "../../contracts/MandateVaultFactory.sol";
import {MandateVaultV2} from "../../contracts/MandateVaultV2.sol";
import {TestLegGateway} from "../../contracts/TestLegGateway.sol";
import {Closing} from "./Closing.sol";
import {HostileTarget} from "./HostileTarget.sol";
import {Cause} from "./Ledger.sol";

/// Everything that may happen, with strangers who try any selector and a house that rotates its keeper's key.
contract Handler is Closing {
    bytes4[13] private vaultSelectors = [
        MandateVault.execute.selector,
        MandateVault.unwind.selector,
        MandateVault.stop.selector,
        MandateVault.revokeAgent.selector,
        MandateVault.setAgent.selector,
        MandateVault.withdrawAll.selector,
        MandateVault.deposit.selector,
        MandateVault.markWorth.selector,
        MandateVault.rescue.selector,
        MandateVaultV2.fundLeg.selector,
        MandateVaultV2.onLegReturn.selector,
        Ownable.transferOwnership.selector,
        bytes4(keccak256("initialize(address)"))
    ];
    bytes4[9] private houseSelectors = [
        TestLegGateway.fund.selector,
        TestLegGateway.giveBack.selector,
        TestLegGateway.sweep.selector,
        TestLegGateway.bindFactory.selector,
        MandateVaultFactory.createVault.selector,
        MandateVaultFactory.setKeeper.selector,
        Ownable.transferOwnership.selector,
        Ownable.renounceOwnership.selector,
        Ownable2Step.acceptOwnership.selector
    ];

    constructor() {
        for (uint256 i = 0; i < VAULTS - 1; i++) {
            _deposit(i, 700e6);
        }
    }

    /// A stranger tries every function of a vault, the gateway and the factory. Only what anybody may do succeeds,
    /// and that is compared with the rules like everybody's.
    function stranger(uint256 vault, uint256 who, uint256 a, uint256 b) external step {
        uint256 i = vault % VAULTS;
        address caller = _stranger(i, who);
        for (uint256 n = 0; n < vaultSelectors.length; n++) {
            _refuse(i, caller, address(vaults[i]), _words(vaultSelectors[n], a, b));
        }
        _settle(i, caller);
        _claimFee(i, caller);
        if (caller == ADMIN || caller == OPERATOR) return;
        for (uint256 n = 0; n < houseSelectors.length; n++) {
            _refuse(i, caller, address(gateway), _words(houseSelectors[n], a, b));
            _refuse(i, caller, address(factoryV2), _words(houseSelectors[n], a, b));
        }
    }

    function _refuse(uint256 i, address caller, address target, bytes memory data) private {
        (bool ok,) = _attempt(i, Cause.Nothing, caller, target, data);
        vm.assertTrue(!ok, "I7 a stranger's call went through");
    }

    /// Returns somebody who is not a party of this vault: parties of other vaults, its fee recipient, the admin, the pool's
    /// operator, passers-by.
    function _stranger(uint256 i, uint256 who) private view returns (address) {
        uint256 other = (i + 1 + who % 3) % VAULTS;
        address[6] memory strangers = [
            terms[other].owner,
            terms[other].agent,
            terms[i].feeRecipient,
            ADMIN,
            OPERATOR,
            address(uint160(0x9000 + who % 9))
        ];
        return strangers[(who / 3) % 6];
    }

    /// Returns arguments that read as amounts, a flag, a vault, or (address, bytes, amount), whatever the function takes.
    function _words(bytes4 selector, uint256 a, uint256 b) private view returns (bytes memory) {
        uint256[5] memory firsts =
            [a, 0, a % 100e6, uint256(uint160(address(hostile))), uint256(uint160(address(vaults[2 + a % 2])))];
        uint256 first = firsts[a % 5];
        uint256 second = b % 2 == 0 ? 0x60 : b % 4 / 2;
        return abi.encodePacked(selector, abi.encode(first, second, b % 100e6, uint256(4)), HostileTarget.play.selector);
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
