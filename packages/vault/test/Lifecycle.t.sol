// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMandateVault} from "../contracts/IMandateVault.sol";
import {MandateVault} from "../contracts/MandateVault.sol";
import {Terms} from "../contracts/MandateTerms.sol";
import {VaultTest} from "./lib/VaultTest.sol";

/// @dev Pause, resume, stop, end, marks and the stop line.
contract LifecycleTest is VaultTest {
    function setUp() public override {
        super.setUp();
        deposit(vault, 500 * ONE);
        deposit(vaultV2, 500 * ONE);
    }

    function pause() private {
        vm.prank(owner);
        vault.revokeAgent();
    }

    function notOwner(bytes memory data) private {
        address[3] memory others = [agent, keeper, stranger];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(IMandateVault.NotOwner.selector, others[i]));
            (bool ok,) = address(vault).call(data);
            vm.assertTrue(ok); // expectRevert turns the failure around
        }
    }

    // ---- Pause and resume

    function test_a_pause_takes_the_agent_away_and_a_resume_brings_one() public {
        vm.expectEmit(address(vault));
        emit IMandateVault.AgentSet(address(0), agent);
        pause();
        vm.assertEq(vault.phase(), 1);
        vm.assertEq(vault.agent(), address(0));

        vm.expectEmit(address(vault));
        emit IMandateVault.AgentSet(stranger, address(0));
        vm.prank(owner);
        vault.setAgent(stranger);
        vm.assertEq(vault.phase(), 0);
        vm.assertEq(vault.agent(), stranger);
        vm.assertEq(vault.terms().agent, agent);

        vm.prank(stranger);
        vault.execute(address(target), abi.encodeCall(target.run, (0, 0)), 0);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.NotAgent.selector, agent));
        vault.execute(address(target), abi.encodeCall(target.run, (0, 0)), 0);
    }

    function test_the_former_agent_may_come_back() public {
        pause();
        vm.prank(owner);
        vault.setAgent(agent);
        spend(vault, ONE);
    }

    function test_a_second_pause_changes_nothing_and_says_nothing() public {
        pause();
        vm.recordLogs();
        pause();
        vm.assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_only_the_owner_pauses_resumes_and_stops() public {
        notOwner(abi.encodeCall(vault.revokeAgent, ()));
        notOwner(abi.encodeCall(vault.setAgent, (stranger)));
        notOwner(abi.encodeCall(vault.stop, ()));
        notOwner(abi.encodeCall(vault.withdrawAll, ()));
        notOwner(abi.encodeCall(vault.rescue, (address(target))));
    }

    function setAgentRefused(address agent_, bytes memory reason) private {
        vm.prank(owner);
        vm.expectRevert(reason);
        vault.setAgent(agent_);
    }

    function test_a_resume_needs_a_pause() public {
        setAgentRefused(stranger, abi.encodeWithSelector(IMandateVault.NotPaused.selector));
    }

    function test_a_resume_refuses_whom_the_creation_refuses() public {
        pause();
        Terms memory t = terms();
        t.mandateIdHash = keccak256("sibling");
        address[10] memory bad = [
            address(0),
            owner,
            keeper,
            address(vault),
            address(create(t)),
            address(usdc),
            address(factory),
            factory.implementation(),
            address(venue),
            address(target)
        ];
        for (uint256 i = 0; i < bad.length; ++i) {
            setAgentRefused(bad[i], abi.encodeWithSelector(IMandateVault.BadAgent.selector, bad[i]));
        }
        // The keeper of today counts, not the one of the creation.
        vm.prank(admin);
        factory.setKeeper(stranger);
        setAgentRefused(stranger, abi.encodeWithSelector(IMandateVault.BadAgent.selector, stranger));
        vm.prank(owner);
        vault.setAgent(keeper);
    }

    function test_a_resume_of_a_vault_with_a_leg_refuses_its_gateway_and_nobody() public {
        vm.startPrank(owner);
        vaultV2.revokeAgent();
        address[2] memory bad = [address(gateway), address(0)];
        for (uint256 i = 0; i < bad.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IMandateVault.BadAgent.selector, bad[i]));
            vaultV2.setAgent(bad[i]);
        }
        vm.stopPrank();
    }

    function test_no_resume_after_a_stop_or_the_end() public {
        pause();
        vm.warp(START + TERM);
        setAgentRefused(agent, abi.encodeWithSelector(IMandateVault.MandateEnded.selector, START + TERM));
        stop(vault);
        setAgentRefused(agent, abi.encodeWithSelector(IMandateVault.MandateStopped.selector, 1));
    }

    // ---- Stop and end

    function test_a_stop_is_for_ever_and_takes_the_agent_away() public {
        vm.warp(START + 5);
        vm.expectEmit(address(vault));
        emit IMandateVault.Stopped(1, owner, START + 5);
        vm.expectEmit(address(vault));
        emit IMandateVault.AgentSet(address(0), agent);
        stop(vault);
        vm.assertEq(vault.phase(), 2);
        vm.assertEq(vault.stopReason(), 1);
        vm.assertEq(vault.stoppedAt(), START + 5);
        vm.assertEq(vault.agent(), address(0));

        vm.warp(START + TERM + 5);
        vm.recordLogs();
        stop(vault);
        vm.assertEq(vm.getRecordedLogs().length, 0);
        vm.assertEq(vault.stoppedAt(), START + 5);
        vm.assertEq(vault.phase(), 2);
    }

    function test_the_constants_of_the_reasons() public view {
        vm.assertEq(vault.STOP_OWNER(), 1);
        vm.assertEq(vault.STOP_LINE(), 2);
        vm.assertEq(vault.PAUSED(), 3);
        vm.assertEq(vault.SETTLE_GRACE(), 1 days);
        vm.assertEq(vault.MARK_MAX_AGE(), 1 hours);
        vm.assertEq(vaultV2.LEG_FALLBACK(), 2 days);
    }

    function test_a_vault_ends_by_the_clock_alone() public {
        vm.warp(START + TERM - 1);
        vm.assertEq(vault.phase(), 0);
        vm.warp(START + TERM);
        vm.assertEq(vault.phase(), 3);
        pause();
        vm.assertEq(vault.phase(), 3);
        vm.assertEq(vault.agent(), address(0));
    }

    function test_version_1_lets_the_owner_stop_at_any_time() public {
        vm.warp(START + TERM);
        stop(vault);
        vm.assertEq(vault.phase(), 2);
        vm.assertEq(withdraw(vault), 500 * ONE);
    }

    function test_version_2_holds_the_owners_stop_in_the_day_after_the_end() public {
        bytes memory grace = abi.encodeWithSelector(IMandateVault.SettleGrace.selector, START + TERM + 1 days);
        vm.warp(START + TERM);
        vm.prank(owner);
        vm.expectRevert(grace);
        vaultV2.stop();
        vm.warp(START + TERM + 1 days - 1);
        vm.prank(owner);
        vm.expectRevert(grace);
        vaultV2.stop();
        // The agent's power can be taken away all the same.
        vm.prank(owner);
        vaultV2.revokeAgent();
        vm.assertEq(vaultV2.agent(), address(0));
        vm.warp(START + TERM + 1 days);
        stop(vaultV2);
        vm.assertEq(vaultV2.phase(), 2);
    }

    function test_version_2_stops_before_the_end_and_once_settled() public {
        uint256 snapshot = vm.snapshotState();
        vm.warp(START + TERM - 1);
        stop(vaultV2);
        vm.assertEq(vaultV2.phase(), 2);

        vm.revertToState(snapshot);
        vm.warp(START + TERM);
        settleByKeeper(vaultV2);
        stop(vaultV2);
        vm.assertEq(vaultV2.stopReason(), 1);
        vm.assertEq(vaultV2.phase(), 4);
    }

    function test_version_2_lets_a_stopped_line_lose_its_agent_within_the_grace() public {
        mark(vaultV2, 500 * ONE);
        spendDown(vaultV2);
        mark(vaultV2, 400 * ONE);
        vm.warp(START + TERM);
        stop(vaultV2);
        vm.assertEq(vaultV2.agent(), address(0));
        vm.assertEq(vaultV2.stopReason(), 2);
    }

    /// @dev Spends 100, so that 400 are left, and moves the clock by a second.
    function spendDown(MandateVault v) private {
        spend(v, 100 * ONE);
        vm.warp(block.timestamp + 1);
    }

    // ---- Marks

    function test_a_mark_is_kept_with_its_time() public {
        vm.warp(START + 10);
        vm.expectEmit(address(vault));
        emit IMandateVault.Marked(600 * ONE, START + 5, keeper);
        vm.prank(keeper);
        vault.markWorth(600 * ONE, START + 5);
        vm.assertEq(vault.lastWorth(), 600 * ONE);
        vm.assertEq(vault.markedAt(), START + 5);
        vm.assertEq(vault.phase(), 0);
    }

    function test_only_the_keeper_marks() public {
        address[3] memory others = [owner, agent, stranger];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(IMandateVault.NotKeeper.selector, others[i]));
            vault.markWorth(600 * ONE, START);
        }
    }

    function stale(uint64 asOf) private {
        vm.prank(keeper);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.StaleMark.selector, asOf));
        vault.markWorth(600 * ONE, asOf);
    }

    function test_a_mark_is_newer_than_the_last_at_most_an_hour_old_and_not_of_the_future() public {
        vm.warp(START + 2 hours);
        stale(START + 2 hours + 1);
        stale(START + 1 hours - 1);
        vm.prank(keeper);
        vault.markWorth(600 * ONE, START + 1 hours);
        stale(START + 1 hours);
        vm.prank(keeper);
        vault.markWorth(600 * ONE, START + 2 hours);
        stale(START + 2 hours);
    }

    function test_a_mark_is_at_least_the_vaults_own_money() public {
        vm.prank(keeper);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.BadMark.selector, 500 * ONE - 1, 500 * ONE));
        vault.markWorth(500 * ONE - 1, START);
        mark(vault, 500 * ONE);
    }

    function test_a_mark_fits_its_storage() public {
        vm.prank(keeper);
        vm.expectRevert(abi.encodeWithSignature("SafeCastOverflowedUintDowncast(uint8,uint256)", 128, 2 ** 128));
        vault.markWorth(2 ** 128, START);
    }

    function test_the_stop_line_stops_at_it_and_keeps_the_agent_for_unwinding() public {
        spend(vault, 100 * ONE);
        mark(vault, 400 * ONE + 1);
        vm.assertEq(vault.phase(), 0);
        vm.warp(START + 1);
        vm.expectEmit(address(vault));
        emit IMandateVault.Marked(400 * ONE, START + 1, keeper);
        vm.expectEmit(address(vault));
        emit IMandateVault.Stopped(2, keeper, START + 1);
        mark(vault, 400 * ONE);
        vm.assertEq(vault.phase(), 2);
        vm.assertEq(vault.stopReason(), 2);
        vm.assertEq(vault.stoppedAt(), START + 1);
        vm.assertEq(vault.agent(), agent);
        vm.prank(agent);
        vault.unwind(address(target), abi.encodeCall(target.run, (0, 5 * ONE)));
    }

    function test_the_owner_may_take_the_agent_away_after_the_stop_line() public {
        spendDown(vault);
        mark(vault, 400 * ONE);
        vm.warp(START + 100);
        vm.recordLogs();
        stop(vault);
        vm.assertEq(vm.getRecordedLogs().length, 1);
        vm.assertEq(vault.agent(), address(0));
        vm.assertEq(vault.stopReason(), 2);
        vm.assertEq(vault.stoppedAt(), START + 1);
    }

    function test_the_stop_line_stops_a_paused_vault_too() public {
        spendDown(vault);
        pause();
        mark(vault, 400 * ONE);
        vm.assertEq(vault.phase(), 2);
    }

    function test_a_stop_line_of_zero_never_stops() public {
        Terms memory t = terms();
        t.mandateIdHash = keccak256("no stop line");
        t.stopLine = 0;
        MandateVault v = create(t);
        mark(v, 0);
        vm.assertEq(v.phase(), 0);
    }

    function test_after_the_close_a_mark_is_only_a_mark() public {
        stop(vault);
        withdraw(vault);
        mark(vault, 0);
        vm.assertEq(vault.stopReason(), 1);
        vm.assertEq(vault.stoppedAt(), START);

        spendDown(vaultV2);
        vm.warp(START + TERM);
        mark(vaultV2, 400 * ONE);
        vm.assertEq(vaultV2.stopReason(), 0);
        vm.assertEq(vaultV2.phase(), 3);
    }

    function test_no_mark_after_the_settlement() public {
        stop(vault);
        settleByKeeper(vault);
        vm.prank(keeper);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.AlreadySettled.selector));
        vault.markWorth(500 * ONE, START);
    }

    function testFuzz_a_stolen_keeper_key_moves_no_money(uint128 worth, uint64 asOf, uint128 amount) public {
        uint256 vaultBalance = usdc.balanceOf(address(vault));
        vm.startPrank(keeper);
        call(abi.encodeCall(vault.markWorth, (worth, asOf)));
        call(abi.encodeCall(vault.settle, ()));
        call(abi.encodeCall(vault.deposit, (amount)));
        call(abi.encodeCall(vault.withdrawAll, ()));
        call(abi.encodeCall(vault.claimFee, ()));
        call(abi.encodeCall(vault.setAgent, (keeper)));
        call(abi.encodeCall(vault.rescue, (address(usdc))));
        call(abi.encodeCall(vault.execute, (address(target), abi.encodeCall(target.run, (0, 0)), amount)));
        vm.stopPrank();
        vm.assertEq(usdc.balanceOf(address(vault)), vaultBalance);
        vm.assertEq(vault.accounted(), vaultBalance);
    }

    function call(bytes memory data) private returns (bool ok) {
        (ok,) = address(vault).call(data);
    }
}
