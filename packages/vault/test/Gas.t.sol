// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Call, Terms} from "../contracts/MandateTerms.sol";
import {MandateVault} from "../contracts/MandateVault.sol";
import {VaultTest} from "./lib/VaultTest.sol";

/// @dev Gas of whole transactions, kept in snapshots/ and compared there.
/// forge-config: default.isolate = true
contract GasTest is VaultTest {
    function snapshot(string memory name) private {
        vm.snapshotGasLastCall("vault", name);
    }

    function create(string memory name, uint256 calls) private returns (MandateVault v) {
        Terms memory t = terms();
        t.mandateIdHash = keccak256(bytes(name));
        t.calls = new Call[](calls);
        for (uint256 i = 0; i < calls; ++i) {
            t.calls[i] = Call(address(target), bytes4(uint32(i)));
        }
        vm.prank(owner);
        v = MandateVault(factory.createVault(t));
        snapshot(name);
    }

    function test_gas_of_creation() public {
        MandateVault one = create("createVault, 1 call", 1);
        create("createVault, 4 calls", 4);
        MandateVault many = create("createVault, 32 calls", 32);
        vm.assertFalse(one.isAllowed(address(venue), bytes4(0)));
        snapshot("isAllowed, not among 1 call");
        vm.assertFalse(many.isAllowed(address(venue), bytes4(0)));
        snapshot("isAllowed, not among 32 calls");
        Terms memory t = termsV2();
        t.mandateIdHash = keccak256("v2");
        vm.prank(owner);
        factoryV2.createVault(t);
        snapshot("createVault with a leg, 4 calls");
    }

    function test_gas_of_a_vaults_life() public {
        give(owner, 1_000 * ONE);
        vm.prank(owner);
        usdc.approve(address(vault), 1_000 * ONE);
        vm.prank(owner);
        vault.deposit(500 * ONE);
        snapshot("deposit, first");
        vm.prank(owner);
        vault.deposit(500 * ONE);
        snapshot("deposit, later");
        buy(vault, 100 * ONE);
        snapshot("execute, first purchase");
        buy(vault, 100 * ONE);
        snapshot("execute, later purchase");
        vm.prank(agent);
        (bool ok,) = address(vault)
            .call(abi.encodeCall(vault.execute, (address(venue), abi.encodeCall(venue.buy, (MARKET, 1, 0)), 101 * ONE)));
        snapshot("execute, refused");
        vm.assertFalse(ok);
        vm.prank(keeper);
        vault.markWorth(1_000 * ONE, START);
        snapshot("markWorth, first");
        vm.prank(owner);
        vault.revokeAgent();
        snapshot("revokeAgent");
        vm.prank(owner);
        vault.setAgent(agent);
        snapshot("setAgent");
        earn(vault, 150 * ONE);
        stop(vault);
        snapshot("stop");
        uint256 units = venue.units(address(vault), MARKET);
        vm.prank(owner);
        vault.unwind(address(venue), abi.encodeCall(venue.sell, (MARKET, units, 0)));
        snapshot("unwind, a sale");
        settleByKeeper(vault);
        snapshot("settle");
        withdraw(vault);
        snapshot("withdrawAll");
        vault.claimFee();
        snapshot("claimFee");
    }

    function test_gas_of_a_leg() public {
        deposit(vaultV2, 500 * ONE);
        vm.prank(keeper);
        vaultV2.fundLeg(200 * ONE);
        snapshot("fundLeg, first");
        vm.prank(operator);
        gateway.giveBack(address(vaultV2), 200 * ONE, true, "ref");
        snapshot("giveBack, the last");
    }
}
