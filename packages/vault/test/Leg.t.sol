// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IMandateVault} from "../contracts/IMandateVault.sol";
import {ILegVault, IVaultRegistry} from "../contracts/Interfaces.sol";
import {MandateVaultFactoryV2} from "../contracts/MandateVaultFactoryV2.sol";
import {MandateVault} from "../contracts/MandateVault.sol";
import {MandateVaultV2} from "../contracts/MandateVaultV2.sol";
import {Call, Terms} from "../contracts/MandateTerms.sol";
import {TestLegGateway} from "../contracts/TestLegGateway.sol";
import {VaultTest} from "./lib/VaultTest.sol";
import {BadGateway} from "./mocks/BadGateway.sol";
import {Token} from "./mocks/Token.sol";

/// @dev Vaults with a leg and their gateway. The leg's budget is 300.
contract LegTest is VaultTest {
    function setUp() public override {
        super.setUp();
        deposit(vaultV2, 500 * ONE);
        give(operator, 1_000 * ONE);
        vm.prank(operator);
        usdc.approve(address(gateway), type(uint256).max);
    }

    function fund(MandateVaultV2 v, uint256 amount) private {
        vm.prank(keeper);
        v.fundLeg(amount);
    }

    function fundRefused(uint256 amount, bytes memory reason) private {
        vm.prank(keeper);
        vm.expectRevert(reason);
        vaultV2.fundLeg(amount);
    }

    function giveBack(MandateVaultV2 v, uint256 amount, bool last, bytes32 ref) private {
        vm.prank(operator);
        gateway.giveBack(address(v), amount, last, ref);
    }

    function topUp(uint256 amount) private {
        vm.prank(operator);
        gateway.topUp(amount);
    }

    function another(string memory id) private returns (MandateVaultV2 v) {
        Terms memory t = termsV2();
        t.mandateIdHash = keccak256(bytes(id));
        v = createV2(t);
        deposit(v, 500 * ONE);
    }

    function assertLeg(MandateVaultV2 v, uint256 out, uint256 funded, uint256 returned, bool open) private view {
        vm.assertEq(v.legOut(), out, "out");
        vm.assertEq(v.legFunded(), funded, "funded");
        vm.assertEq(v.legReturned(), returned, "returned");
        vm.assertTrue(v.legOpen() == open, "open");
        vm.assertEq(gateway.outstanding(address(v)), out, "outstanding");
        assertBooks(v);
        vm.assertEq(usdc.allowance(address(v), address(gateway)), 0);
        vm.assertEq(usdc.allowance(address(gateway), address(v)), 0);
        vm.assertGe(usdc.balanceOf(address(gateway)), gateway.totalOutstanding());
    }

    // ---- Out

    function test_funding_moves_money_to_the_gateway_with_running_totals() public {
        vm.expectEmit(address(gateway));
        emit TestLegGateway.Funded(address(vaultV2), 200 * ONE, 200 * ONE);
        vm.expectEmit(address(vaultV2));
        emit MandateVaultV2.LegFunded(1, 200 * ONE, 200 * ONE);
        fund(vaultV2, 200 * ONE);
        vm.expectEmit(address(vaultV2));
        emit MandateVaultV2.LegFunded(2, 100 * ONE, 300 * ONE);
        fund(vaultV2, 100 * ONE);
        vm.assertEq(vaultV2.legSeq(), 2);
        vm.assertEq(vaultV2.accounted(), 200 * ONE);
        vm.assertEq(usdc.balanceOf(address(gateway)), 300 * ONE);
        assertLeg(vaultV2, 300 * ONE, 300 * ONE, 0, true);
    }

    function test_funding_does_not_count_against_the_day() public {
        fund(vaultV2, 300 * ONE);
        (, uint256 used, uint256 left) = vaultV2.usage();
        vm.assertEq(used, 0);
        vm.assertEq(left, 250 * ONE);
    }

    function test_only_the_keeper_funds() public {
        address[3] memory others = [owner, agent, operator];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(IMandateVault.NotKeeper.selector, others[i]));
            vaultV2.fundLeg(1);
        }
    }

    function test_funding_is_held_to_the_legs_budget() public {
        fundRefused(
            300 * ONE + 1, abi.encodeWithSelector(MandateVaultV2.OverLegBudget.selector, 300 * ONE + 1, 300 * ONE)
        );
        fund(vaultV2, 250 * ONE);
        fundRefused(50 * ONE + 1, abi.encodeWithSelector(MandateVaultV2.OverLegBudget.selector, 50 * ONE + 1, 50 * ONE));
        fund(vaultV2, 50 * ONE);
        fundRefused(1, abi.encodeWithSelector(MandateVaultV2.OverLegBudget.selector, 1, 0));
    }

    function test_what_came_back_makes_room_again() public {
        fund(vaultV2, 300 * ONE);
        giveBack(vaultV2, 100 * ONE, false, "a");
        fundRefused(
            100 * ONE + 1, abi.encodeWithSelector(MandateVaultV2.OverLegBudget.selector, 100 * ONE + 1, 100 * ONE)
        );
        fund(vaultV2, 100 * ONE);
        assertLeg(vaultV2, 300 * ONE, 400 * ONE, 100 * ONE, true);
    }

    function test_funding_is_held_to_the_vaults_money() public {
        spend(vaultV2, 100 * ONE);
        spend(vaultV2, 100 * ONE);
        spend(vaultV2, 50 * ONE);
        fundRefused(
            250 * ONE + 1, abi.encodeWithSelector(IMandateVault.InsufficientFunds.selector, 250 * ONE + 1, 250 * ONE)
        );
        fund(vaultV2, 250 * ONE);
    }

    function test_funding_refuses_zero() public {
        fundRefused(0, abi.encodeWithSelector(IMandateVault.ZeroAmount.selector));
    }

    function test_funding_recognises_a_direct_transfer() public {
        give(address(vaultV2), 100 * ONE);
        fund(vaultV2, 300 * ONE);
        vm.assertEq(vaultV2.principal(), 600 * ONE);
        vm.assertEq(vaultV2.accounted(), 300 * ONE);
    }

    function test_no_funding_while_paused_stopped_or_ended() public {
        vm.prank(owner);
        vaultV2.revokeAgent();
        fundRefused(1, abi.encodeWithSelector(IMandateVault.MandateStopped.selector, 3));
        vm.warp(START + TERM);
        fundRefused(1, abi.encodeWithSelector(IMandateVault.MandateEnded.selector, START + TERM));
        vm.warp(START);
        stop(vaultV2);
        fundRefused(1, abi.encodeWithSelector(IMandateVault.MandateStopped.selector, 1));
    }

    // ---- Back

    function test_returns_are_booked_with_running_totals() public {
        fund(vaultV2, 300 * ONE);
        vm.expectEmit(address(gateway));
        emit TestLegGateway.GivenBack(address(vaultV2), 120 * ONE, false, "a");
        vm.expectEmit(address(vaultV2));
        emit MandateVaultV2.LegReturned(1, 120 * ONE, 180 * ONE, false);
        giveBack(vaultV2, 120 * ONE, false, "a");
        assertLeg(vaultV2, 180 * ONE, 300 * ONE, 120 * ONE, true);
        vm.expectEmit(address(vaultV2));
        emit MandateVaultV2.LegReturned(1, 180 * ONE, 0, true);
        giveBack(vaultV2, 180 * ONE, true, "b");
        assertLeg(vaultV2, 0, 300 * ONE, 300 * ONE, false);
        vm.assertEq(vaultV2.accounted(), 500 * ONE);
    }

    function test_a_loss_at_the_leg_is_what_did_not_come_back() public {
        fund(vaultV2, 300 * ONE);
        giveBack(vaultV2, 250 * ONE, true, "a");
        assertLeg(vaultV2, 0, 300 * ONE, 250 * ONE, false);
        vm.assertEq(gateway.totalOutstanding(), 0);
        stop(vaultV2);
        vm.assertEq(withdraw(vaultV2), 450 * ONE);
        vm.assertEq(vaultV2.feeTotal(), 0);
    }

    function test_a_gain_at_the_leg_is_profit_and_comes_from_the_pool() public {
        topUp(100 * ONE);
        fund(vaultV2, 300 * ONE);
        giveBack(vaultV2, 400 * ONE, true, "a");
        assertLeg(vaultV2, 0, 300 * ONE, 400 * ONE, false);
        stop(vaultV2);
        vm.assertEq(withdraw(vaultV2), 590 * ONE);
        vm.assertEq(vaultV2.feeTotal(), 10 * ONE);
    }

    function test_more_than_was_out_without_an_end_leaves_the_leg_open_at_zero() public {
        topUp(100 * ONE);
        fund(vaultV2, 100 * ONE);
        giveBack(vaultV2, 150 * ONE, false, "a");
        assertLeg(vaultV2, 0, 100 * ONE, 150 * ONE, true);
        giveBack(vaultV2, 0, true, "b");
        assertLeg(vaultV2, 0, 100 * ONE, 150 * ONE, false);
    }

    function test_a_total_loss_ends_the_leg_with_nothing() public {
        fund(vaultV2, 100 * ONE);
        giveBack(vaultV2, 0, true, "a");
        assertLeg(vaultV2, 0, 100 * ONE, 0, false);
    }

    function test_nothing_comes_back_without_a_leg_or_without_an_amount() public {
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(MandateVaultV2.NoLeg.selector));
        gateway.giveBack(address(vaultV2), 0, true, "a");
        fund(vaultV2, 100 * ONE);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.ZeroAmount.selector));
        gateway.giveBack(address(vaultV2), 0, false, "a");
        giveBack(vaultV2, 100 * ONE, true, "a");
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(MandateVaultV2.NoLeg.selector));
        gateway.giveBack(address(vaultV2), 0, false, "b");
    }

    function test_only_the_gateway_returns() public {
        fund(vaultV2, 100 * ONE);
        address[4] memory others = [owner, agent, keeper, operator];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(MandateVaultV2.NotGateway.selector, others[i]));
            vaultV2.onLegReturn(0, true);
        }
    }

    function test_a_leg_comes_home_in_every_phase() public {
        fund(vaultV2, 300 * ONE);
        vm.prank(owner);
        vaultV2.revokeAgent();
        giveBack(vaultV2, 50 * ONE, false, "paused");
        vm.warp(START + TERM);
        giveBack(vaultV2, 50 * ONE, false, "ended");
        vm.warp(START + TERM + 1 days);
        stop(vaultV2);
        giveBack(vaultV2, 50 * ONE, false, "stopped");
        withdraw(vaultV2);
        vm.warp(START + TERM + 2 days);
        settleByKeeper(vaultV2);
        giveBack(vaultV2, 50 * ONE, true, "settled");
        vm.assertEq(withdraw(vaultV2), 50 * ONE);
        assertLeg(vaultV2, 0, 300 * ONE, 200 * ONE, false);
    }

    // ---- Closing with a leg

    function test_the_owners_idle_money_does_not_wait_for_the_leg() public {
        fund(vaultV2, 300 * ONE);
        stop(vaultV2);
        vm.assertEq(withdraw(vaultV2), 200 * ONE);
    }

    function test_a_settlement_waits_two_days_for_the_leg() public {
        fund(vaultV2, 300 * ONE);
        stop(vaultV2);
        uint64 until = START + 2 days;
        vm.prank(keeper);
        vm.expectRevert(abi.encodeWithSelector(MandateVaultV2.LegOpen.selector, 300 * ONE, until));
        vaultV2.settle();
        vm.warp(until - 1);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(MandateVaultV2.LegOpen.selector, 300 * ONE, until));
        vaultV2.settle();
        vm.warp(until);
        vm.prank(stranger);
        vaultV2.settle();
    }

    function test_a_settlement_goes_ahead_once_the_leg_is_home() public {
        fund(vaultV2, 300 * ONE);
        vm.warp(START + TERM);
        giveBack(vaultV2, 300 * ONE, true, "a");
        settleByKeeper(vaultV2);
        vm.assertEq(withdraw(vaultV2), 500 * ONE);
    }

    function test_a_profit_that_comes_home_after_the_settlement_pays_its_fee() public {
        topUp(100 * ONE);
        fund(vaultV2, 300 * ONE);
        stop(vaultV2);
        vm.warp(START + 2 days);
        vaultV2.settle();
        withdraw(vaultV2);
        giveBack(vaultV2, 400 * ONE, true, "a");
        vm.assertEq(withdraw(vaultV2), 390 * ONE);
        vm.assertEq(vaultV2.feeTotal(), 10 * ONE);
    }

    // ---- What no limit holds

    function test_keeper_and_operator_together_can_lose_all_idle_money_leg_by_leg() public {
        fund(vaultV2, 300 * ONE);
        giveBack(vaultV2, 0, true, "a");
        fund(vaultV2, 200 * ONE);
        giveBack(vaultV2, 0, true, "b");
        vm.prank(operator);
        gateway.sweep(stranger, 500 * ONE);
        vm.assertEq(vaultV2.accounted(), 0);
        vm.assertEq(usdc.balanceOf(stranger), 500 * ONE);
    }

    function test_a_sibling_of_the_deployment_as_a_target_moves_no_more_than_the_caps() public {
        Terms memory t = terms();
        t.mandateIdHash = keccak256("lists the other version");
        t.calls = new Call[](2);
        t.calls[0] = Call(address(gateway), gateway.topUp.selector);
        t.calls[1] = Call(address(vaultV2), vaultV2.deposit.selector);
        MandateVault v = create(t);
        deposit(v, 500 * ONE);
        bytes memory topUpAll = abi.encodeCall(gateway.topUp, (100 * ONE));
        vm.startPrank(agent);
        v.execute(address(gateway), topUpAll, 100 * ONE);
        v.execute(address(gateway), topUpAll, 100 * ONE);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.OverDailyCap.selector, 100 * ONE, 50 * ONE));
        v.execute(address(gateway), topUpAll, 100 * ONE);
        vm.expectPartialRevert(IMandateVault.TargetCallFailed.selector);
        v.execute(address(vaultV2), abi.encodeCall(vaultV2.deposit, (ONE)), ONE);
        vm.stopPrank();
        vm.assertEq(v.accounted(), 300 * ONE);
    }

    function test_without_keeper_admin_and_operator_every_owner_still_gets_out() public {
        fund(vaultV2, 300 * ONE);
        vm.startPrank(admin);
        factoryV2.setKeeper(address(0));
        factoryV2.renounceOwnership();
        gateway.renounceOwnership();
        vm.stopPrank();
        fundRefused(0, abi.encodeWithSelector(IMandateVault.NotKeeper.selector, keeper));
        stop(vaultV2);
        vm.assertEq(withdraw(vaultV2), 200 * ONE);
        vm.warp(START + 2 days);
        vm.prank(stranger);
        vaultV2.settle();
        vm.assertEq(vaultV2.legOut(), 300 * ONE);
    }

    // ---- A gateway that does not keep its word

    function test_a_gateway_that_pulls_less_or_gives_some_back_is_caught() public {
        BadGateway bad = new BadGateway(IERC20(address(usdc)));
        MandateVaultFactoryV2 f =
            new MandateVaultFactoryV2(address(usdc), factoryV2.implementation(), keeper, admin, address(bad));
        Terms memory t = termsV2();
        t.legGateway = address(bad);
        vm.prank(owner);
        MandateVaultV2 v = MandateVaultV2(f.createVault(t));
        deposit(v, 500 * ONE);
        bad.set(1, 0, false);
        vm.prank(keeper);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.SpendMismatch.selector, 100 * ONE - 1, 100 * ONE - 1));
        v.fundLeg(100 * ONE);
        bad.set(0, 1, false);
        vm.prank(keeper);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.SpendMismatch.selector, 100 * ONE, 100 * ONE - 1));
        v.fundLeg(100 * ONE);
        bad.set(0, 0, true);
        vm.prank(keeper);
        vm.expectPartialRevert(IMandateVault.TargetCallFailed.selector);
        v.fundLeg(100 * ONE);
        vm.assertEq(v.accounted(), 500 * ONE);
        vm.assertFalse(v.legOpen());
    }

    function test_a_return_in_a_token_that_takes_a_fee_credits_what_arrived_and_pays_the_leg_down_by_what_left()
        public
    {
        Token token = new Token();
        TestLegGateway g = new TestLegGateway(IERC20(address(token)), operator, admin);
        MandateVaultFactoryV2 f =
            new MandateVaultFactoryV2(address(token), factoryV2.implementation(), keeper, admin, address(g));
        vm.prank(admin);
        g.bindFactory(address(f));
        Terms memory t = termsV2();
        (t.usdc, t.legGateway) = (address(token), address(g));
        vm.startPrank(owner);
        MandateVaultV2 v = MandateVaultV2(f.createVault(t));
        token.mint(owner, 500 * ONE);
        token.approve(address(v), 500 * ONE);
        v.deposit(500 * ONE);
        vm.stopPrank();
        fund(v, 300 * ONE);

        token.setMode(Token.Mode.TakesFee); // 1 %
        vm.expectEmit(address(v));
        emit MandateVaultV2.LegReturned(1, 99 * ONE, 200 * ONE, false);
        vm.prank(operator);
        g.giveBack(address(v), 100 * ONE, false, "a");
        vm.assertEq(v.legOut(), 200 * ONE);
        vm.assertEq(g.outstanding(address(v)), 200 * ONE);
        vm.assertEq(v.legReturned(), 99 * ONE);
        vm.assertEq(v.accounted(), 299 * ONE);
        vm.assertEq(token.balanceOf(address(v)), 299 * ONE);
    }

    // ---- The gateway

    function test_only_vaults_of_the_bound_factory_fund() public {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(TestLegGateway.NotVault.selector, stranger));
        gateway.fund(1);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(TestLegGateway.NotVault.selector, address(vault)));
        gateway.giveBack(address(vault), 0, true, "a");
        TestLegGateway unbound = new TestLegGateway(IERC20(address(usdc)), operator, admin);
        vm.prank(address(vaultV2));
        vm.expectRevert(abi.encodeWithSelector(TestLegGateway.NotVault.selector, address(vaultV2)));
        unbound.fund(1);
    }

    function test_the_factory_is_bound_once_by_the_admin() public {
        TestLegGateway g = new TestLegGateway(IERC20(address(usdc)), operator, admin);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, operator));
        g.bindFactory(address(factoryV2));
        vm.prank(admin);
        g.bindFactory(address(factoryV2));
        vm.assertEq(g.factory(), address(factoryV2));
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, admin));
        g.bindFactory(address(factory));
    }

    function test_only_the_operator_gives_back_and_sweeps() public {
        fund(vaultV2, 100 * ONE);
        address[3] memory others = [admin, keeper, stranger];
        for (uint256 i = 0; i < others.length; ++i) {
            bytes memory reason = abi.encodeWithSelector(TestLegGateway.NotOperator.selector, others[i]);
            vm.prank(others[i]);
            vm.expectRevert(reason);
            gateway.giveBack(address(vaultV2), 1, false, "a");
            vm.prank(others[i]);
            vm.expectRevert(reason);
            gateway.sweep(others[i], 0);
        }
    }

    function test_a_reference_is_used_once_so_a_retry_is_harmless() public {
        fund(vaultV2, 300 * ONE);
        giveBack(vaultV2, 100 * ONE, false, "a");
        vm.assertTrue(gateway.refUsed("a"));
        vm.recordLogs();
        giveBack(vaultV2, 100 * ONE, false, "a");
        vm.assertEq(vm.getRecordedLogs().length, 0);
        assertLeg(vaultV2, 200 * ONE, 300 * ONE, 100 * ONE, true);
    }

    function test_a_failed_return_leaves_its_reference_unused() public {
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(MandateVaultV2.NoLeg.selector));
        gateway.giveBack(address(vaultV2), 0, true, "a");
        vm.assertFalse(gateway.refUsed("a"));
    }

    function test_the_pool_is_topped_up_by_anybody_and_swept_free_money_only() public {
        vm.expectEmit(address(gateway));
        emit TestLegGateway.ToppedUp(operator, 100 * ONE);
        topUp(100 * ONE);
        fund(vaultV2, 300 * ONE);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(TestLegGateway.PoolLow.selector, 100 * ONE + 1, 100 * ONE));
        gateway.sweep(operator, 100 * ONE + 1);
        vm.expectEmit(address(gateway));
        emit TestLegGateway.Swept(stranger, 100 * ONE);
        vm.prank(operator);
        gateway.sweep(stranger, 100 * ONE);
        vm.assertEq(usdc.balanceOf(stranger), 100 * ONE);
        vm.assertEq(usdc.balanceOf(address(gateway)), 300 * ONE);
    }

    function test_a_vault_is_never_paid_out_of_another_vaults_money() public {
        MandateVaultV2 other = another("other");
        fund(vaultV2, 100 * ONE);
        fund(other, 300 * ONE);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(TestLegGateway.PoolLow.selector, 100 * ONE + 1, 100 * ONE));
        gateway.giveBack(address(vaultV2), 100 * ONE + 1, true, "a");
        giveBack(vaultV2, 100 * ONE, true, "a");
        assertLeg(other, 300 * ONE, 300 * ONE, 0, true);
        giveBack(other, 300 * ONE, true, "b");
        vm.assertEq(gateway.totalOutstanding(), 0);
        vm.assertEq(usdc.balanceOf(address(gateway)), 0);
    }

    /// forge-config: default.fuzz.runs = 32
    /// forge-config: long.fuzz.runs = 1000
    function testFuzz_several_vaults_at_one_gateway_keep_their_money_apart(uint256[16] memory steps) public {
        MandateVaultV2[3] memory vaults = [vaultV2, another("two"), another("three")];
        for (uint256 i = 0; i < steps.length; ++i) {
            MandateVaultV2 v = vaults[steps[i] % 3];
            uint256 amount = (steps[i] >> 32) % (150 * ONE);
            uint256 kind = (steps[i] >> 16) % 4;
            if (kind == 0) topUp(amount % (20 * ONE));
            if (kind == 1) {
                vm.prank(keeper);
                try v.fundLeg(amount) {} catch {}
            }
            if (kind == 2) {
                vm.prank(operator);
                try gateway.giveBack(address(v), amount, (steps[i] >> 8) % 3 == 0, bytes32(i)) {} catch {}
            }
            if (kind == 3) {
                vm.prank(operator);
                try gateway.sweep(operator, amount) {} catch {}
            }
            uint256 sum;
            for (uint256 j = 0; j < 3; ++j) {
                sum += gateway.outstanding(address(vaults[j]));
                assertLeg(
                    vaults[j],
                    gateway.outstanding(address(vaults[j])),
                    vaults[j].legFunded(),
                    vaults[j].legReturned(),
                    vaults[j].legOpen()
                );
                vm.assertLe(vaults[j].legOut(), 300 * ONE);
            }
            vm.assertEq(sum, gateway.totalOutstanding());
        }
    }

    function test_a_vault_that_does_not_take_its_money_keeps_no_allowance() public {
        TestLegGateway g = new TestLegGateway(IERC20(address(usdc)), operator, admin);
        LazyVaults lazy = new LazyVaults();
        vm.prank(admin);
        g.bindFactory(address(lazy));
        give(address(g), 100);
        vm.prank(operator);
        g.giveBack(address(lazy), 100, true, "a");
        vm.assertEq(usdc.allowance(address(g), address(lazy)), 0);
        vm.assertEq(usdc.balanceOf(address(g)), 100);
    }

    function test_a_gateway_refuses_money_that_arrives_short() public {
        Token token = new Token();
        TestLegGateway g = new TestLegGateway(IERC20(address(token)), operator, admin);
        vm.prank(admin);
        g.bindFactory(address(factoryV2));
        token.mint(address(vaultV2), 100);
        token.setMode(Token.Mode.TakesFee);
        vm.startPrank(address(vaultV2));
        token.approve(address(g), 100);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token)));
        g.fund(100);
        vm.stopPrank();
    }
}

/// @dev A factory and its only vault, which does not pull what it is given.
contract LazyVaults is IVaultRegistry, ILegVault {
    function isVault(address vault) external view returns (bool) {
        return vault == address(this);
    }

    function onLegReturn(uint256, bool) external {}
}
