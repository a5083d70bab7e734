// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMandateVault} from "../../contracts/IMandateVault.sol";
import {MandateVault} from "../../contracts/MandateVault.sol";
import {MandateVaultV2} from "../../contracts/MandateVaultV2.sol";
import {Terms} from "../../contracts/MandateTerms.sol";
import {TestLegGateway} from "../../contracts/TestLegGateway.sol";
import {TestVenue} from "../../contracts/TestVenue.sol";
import {World} from "../invariant/World.sol";

contract StolenKeeperTest is World {
    address private constant THIEF = address(0x7431EF);

    MandateVaultV2 private vault;

    function setUp() public {
        vault = vaults[2];
    }

    /// With the keeper's key a thief gets no money at all. What he can do: send at most the leg budget to the pinned
    /// gateway, from where it can only come back, and stop a vault whose idle money alone is below the stop line.
    function test_a_stolen_keeper_key_moves_the_leg_budget_to_the_gateway_and_nothing_to_the_thief() public {
        Terms memory t = terms[2];
        vm.prank(t.owner);
        vault.deposit(t.budget);
        _buy(t.perTxCap);
        uint256 idle = t.budget - t.perTxCap;

        // The thief has the key.
        uint64 now_ = uint64(block.timestamp);
        _refused(
            abi.encodeCall(MandateVault.markWorth, (idle - 1, now_)),
            abi.encodeWithSelector(IMandateVault.BadMark.selector, idle - 1, idle)
        );
        _refused(
            abi.encodeCall(MandateVault.markWorth, (idle, now_ + 1)),
            abi.encodeWithSelector(IMandateVault.StaleMark.selector, now_ + 1)
        );
        _refused(abi.encodeCall(MandateVault.settle, ()), abi.encodeWithSelector(IMandateVault.NotClosed.selector));
        _refused(
            abi.encodeCall(MandateVault.withdrawAll, ()),
            abi.encodeWithSelector(IMandateVault.NotOwner.selector, keeper)
        );
        _refused(
            abi.encodeCall(MandateVaultV2.onLegReturn, (0, true)),
            abi.encodeWithSelector(MandateVaultV2.NotGateway.selector, keeper)
        );
        _refused(
            abi.encodeCall(
                MandateVault.execute, (address(venue), abi.encodeCall(TestVenue.buy, (MARKET, 1e6, 0)), 1e6)
            ),
            abi.encodeWithSelector(IMandateVault.NotAgent.selector, keeper)
        );

        // Marks: as high as he likes moves no fee, as low as the idle money does not reach the stop line.
        _keeper(abi.encodeCall(MandateVault.markWorth, (1_000_000e6, now_ - 1)));
        _keeper(abi.encodeCall(MandateVault.markWorth, (idle, now_)));
        vm.assertEq(vault.phase(), 0, "idle money above the stop line cannot be stopped");
        vm.assertEq(vault.feeTotal(), 0, "marks move no fee");

        // Leg money: up to the leg budget, to the pinned gateway, and not one unit more.
        _keeper(abi.encodeCall(MandateVaultV2.fundLeg, (t.legBudget)));
        _refused(
            abi.encodeCall(MandateVaultV2.fundLeg, (1)),
            abi.encodeWithSelector(MandateVaultV2.OverLegBudget.selector, 1, 0)
        );
        vm.assertEq(gateway.outstanding(address(vault)), t.legBudget, "the gateway owes the vault its leg money");
        vm.prank(keeper);
        vm.expectRevert(abi.encodeWithSelector(TestLegGateway.NotOperator.selector, keeper));
        gateway.sweep(THIEF, 1);
        vm.prank(OPERATOR);
        vm.expectRevert(abi.encodeWithSelector(TestLegGateway.PoolLow.selector, 1, 0));
        gateway.sweep(THIEF, 1);

        // With the leg out the idle money alone is at the stop line: now a false mark stops the vault, for good.
        vm.warp(block.timestamp + 1);
        _keeper(abi.encodeCall(MandateVault.markWorth, (idle - t.legBudget, now_ + 1)));
        vm.assertEq(vault.stopReason(), 2, "the worst he can do: the stop line");
        // An early settlement takes the fee on realised profit, which is none, and is refused with the leg open.
        _refused(
            abi.encodeCall(MandateVault.settle, ()),
            abi.encodeWithSelector(MandateVaultV2.LegOpen.selector, t.legBudget, uint64(block.timestamp) + 2 days)
        );

        // The admin rotates the key once, and it is worthless at every vault.
        address stolen = keeper;
        vm.prank(ADMIN);
        factoryV2.setKeeper(address(0xEE2));
        for (uint256 i = 2; i < VAULTS; i++) {
            vm.prank(stolen);
            vm.expectRevert(abi.encodeWithSelector(IMandateVault.NotKeeper.selector, stolen));
            vaults[i].markWorth(type(uint128).max, uint64(block.timestamp));
        }

        // The owner leaves with everything: idle money now, the position and the leg as they come back.
        uint256 wallet = usdc.balanceOf(t.owner);
        vm.prank(t.owner);
        vault.withdrawAll();
        vm.assertEq(usdc.balanceOf(t.owner) - wallet, idle - t.legBudget, "idle money at once");
        vm.prank(OPERATOR);
        gateway.giveBack(address(vault), t.legBudget, true, "back");
        uint256 units = venue.units(address(vault), MARKET);
        (uint256 position,) = venue.quoteSell(MARKET, units);
        vm.prank(t.owner);
        vault.unwind(address(venue), abi.encodeCall(TestVenue.sell, (MARKET, units, 0)));
        vm.prank(t.owner);
        vault.withdrawAll();
        vm.assertEq(usdc.balanceOf(t.owner) - wallet, idle + position, "the leg and the position followed");
        vm.assertEq(usdc.balanceOf(THIEF) + usdc.balanceOf(stolen), 0, "the thief has nothing");
    }

    function _buy(uint256 amount) private {
        vm.prank(terms[2].agent);
        vault.execute(address(venue), abi.encodeCall(TestVenue.buy, (MARKET, amount, 0)), amount);
    }

    function _keeper(bytes memory data) private {
        vm.prank(keeper);
        (bool ok,) = address(vault).call(data);
        vm.assertTrue(ok, "a call of the keeper");
    }

    function _refused(bytes memory data, bytes memory reason) private {
        vm.prank(keeper);
        (bool ok, bytes memory answer) = address(vault).call(data);
        vm.assertTrue(!ok, "refused");
        vm.assertEq(keccak256(answer), keccak256(reason), "for the reason given");
    }
}
