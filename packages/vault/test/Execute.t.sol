// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMandateVault} from "../contracts/IMandateVault.sol";
import {MandateVault} from "../contracts/MandateVault.sol";
import {Terms} from "../contracts/MandateTerms.sol";
import {VaultTest} from "./lib/VaultTest.sol";

contract ExecuteTest is VaultTest {
    function setUp() public override {
        super.setUp();
        deposit(vault, 1_000 * ONE);
    }

    function run(uint256 take, uint256 pay) private view returns (bytes memory) {
        return abi.encodeCall(target.run, (take, pay));
    }

    function refused(bytes memory data, uint256 approve, bytes memory reason) private {
        refusedAt(address(target), data, approve, reason);
    }

    function refusedAt(address at, bytes memory data, uint256 approve, bytes memory reason) private {
        uint256 balance = usdc.balanceOf(address(vault));
        vm.prank(agent);
        vm.expectRevert(reason);
        vault.execute(at, data, approve);
        vm.assertEq(usdc.balanceOf(address(vault)), balance);
        assertNoAllowance(vault, at);
    }

    // ---- What an execution does

    function test_pulls_are_booked_with_running_totals() public {
        uint64 day = START / 1 days;
        vm.expectEmit(address(vault));
        emit IMandateVault.Executed(agent, address(target), target.run.selector, 100 * ONE, 60 * ONE, 0, day, 60 * ONE);
        execute(vault, run(60 * ONE, 0), 100 * ONE);
        vm.expectEmit(address(vault));
        emit IMandateVault.Executed(
            agent, address(target), target.run.selector, 50 * ONE, 50 * ONE, 20 * ONE, day, 110 * ONE
        );
        execute(vault, run(50 * ONE, 20 * ONE), 50 * ONE);

        vm.assertEq(vault.accounted(), 910 * ONE);
        vm.assertEq(usdc.balanceOf(address(vault)), 910 * ONE);
        (uint64 usedDay, uint256 used, uint256 left) = vault.usage();
        vm.assertEq(usedDay, day);
        vm.assertEq(used, 110 * ONE);
        vm.assertEq(left, 140 * ONE);
        assertBooks(vault);
    }

    function test_a_purchase_at_the_venue_holds_the_position_in_the_vaults_name() public {
        (uint256 units,) = venue.quoteBuy(MARKET, 100 * ONE);
        buy(vault, 100 * ONE);
        vm.assertEq(venue.units(address(vault), MARKET), units);
        vm.assertEq(vault.accounted(), 900 * ONE);
    }

    function test_no_allowance_outlives_a_call() public {
        execute(vault, run(0, 0), 100 * ONE);
        assertNoAllowance(vault, address(target));
        execute(vault, run(1, 0), 100 * ONE);
        assertNoAllowance(vault, address(target));
        execute(vault, run(100 * ONE, 0), 100 * ONE);
        assertNoAllowance(vault, address(target));
    }

    function test_the_target_cannot_pull_more_than_approved() public {
        vm.prank(agent);
        vm.expectPartialRevert(IMandateVault.TargetCallFailed.selector);
        vault.execute(address(target), run(10 * ONE + 1, 0), 10 * ONE);
        vm.assertEq(vault.accounted(), 1_000 * ONE);
    }

    function test_a_call_without_approval_can_pull_nothing() public {
        vm.prank(agent);
        vm.expectPartialRevert(IMandateVault.TargetCallFailed.selector);
        vault.execute(address(target), run(1, 0), 0);
    }

    function test_what_is_pulled_and_given_back_counts_against_the_day() public {
        execute(vault, run(100 * ONE, 100 * ONE), 100 * ONE);
        execute(vault, run(100 * ONE, 100 * ONE), 100 * ONE);
        vm.assertEq(vault.accounted(), 1_000 * ONE);
        (, uint256 used,) = vault.usage();
        vm.assertEq(used, 200 * ONE);
        refused(run(0, 0), 51 * ONE, abi.encodeWithSelector(IMandateVault.OverDailyCap.selector, 51 * ONE, 50 * ONE));
    }

    function test_proceeds_do_not_count_against_the_day_and_can_be_spent() public {
        earn(vault, 70 * ONE);
        vm.assertEq(vault.accounted(), 1_070 * ONE);
        vm.assertEq(vault.principal(), 1_000 * ONE);
        (, uint256 used,) = vault.usage();
        vm.assertEq(used, 0);
    }

    // ---- Refusals

    function test_refuses_what_is_not_listed() public {
        bytes4 unlisted = target.unlisted.selector;
        refused(
            abi.encodeCall(target.unlisted, (1)),
            0,
            abi.encodeWithSelector(IMandateVault.TargetNotAllowed.selector, address(target), unlisted)
        );
        refusedAt(
            address(usdc),
            abi.encodeCall(usdc.approve, (agent, 1)),
            0,
            abi.encodeWithSelector(IMandateVault.TargetNotAllowed.selector, address(usdc), usdc.approve.selector)
        );
        // A listed selector at a listed target that is not its own.
        refused(
            abi.encodeCall(venue.redeem, (MARKET)),
            0,
            abi.encodeWithSelector(IMandateVault.TargetNotAllowed.selector, address(target), venue.redeem.selector)
        );
    }

    function test_refuses_calldata_without_a_whole_selector() public {
        bytes memory reason =
            abi.encodeWithSelector(IMandateVault.TargetNotAllowed.selector, address(target), bytes4(0));
        refused("", 0, reason);
        bytes4 short = bytes4(bytes3(target.run.selector));
        reason = abi.encodeWithSelector(IMandateVault.TargetNotAllowed.selector, address(target), short);
        refused(abi.encodePacked(bytes3(target.run.selector)), 0, reason);
    }

    function test_short_calldata_is_refused_even_where_zero_padding_would_match() public {
        Terms memory t = terms();
        t.mandateIdHash = keccak256("zero");
        t.calls[0].selector = bytes4(0);
        MandateVault v = create(t);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.TargetNotAllowed.selector, address(venue), bytes4(0)));
        v.execute(address(venue), "", 0);
    }

    function test_refuses_a_target_whose_code_is_gone() public {
        vm.etch(address(target), "");
        refused(
            run(0, 0),
            0,
            abi.encodeWithSelector(IMandateVault.TargetNotAllowed.selector, address(target), target.run.selector)
        );
    }

    function test_refuses_above_the_per_transaction_cap() public {
        refused(
            run(0, 0),
            100 * ONE + 1,
            abi.encodeWithSelector(IMandateVault.OverPerTxCap.selector, 100 * ONE + 1, 100 * ONE)
        );
        execute(vault, run(0, 0), 100 * ONE);
    }

    function test_refuses_above_the_daily_cap() public {
        spend(vault, 100 * ONE);
        spend(vault, 100 * ONE);
        refused(
            run(0, 0), 50 * ONE + 1, abi.encodeWithSelector(IMandateVault.OverDailyCap.selector, 50 * ONE + 1, 50 * ONE)
        );
        spend(vault, 50 * ONE);
        refused(run(0, 0), 1, abi.encodeWithSelector(IMandateVault.OverDailyCap.selector, 1, 0));
        execute(vault, run(0, 1), 0);
    }

    function test_refuses_more_than_the_vault_holds() public {
        MandateVault v = vaultV2;
        deposit(v, 40 * ONE);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.InsufficientFunds.selector, 40 * ONE + 1, 40 * ONE));
        v.execute(address(target), run(0, 0), 40 * ONE + 1);
        spend(v, 40 * ONE);
    }

    function test_refuses_everybody_but_the_agent() public {
        address[4] memory others = [owner, keeper, stranger, feeRecipient];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(IMandateVault.NotAgent.selector, others[i]));
            vault.execute(address(target), run(0, 0), 0);
        }
    }

    function test_refuses_from_the_second_at_which_the_term_ends() public {
        vm.warp(START + TERM - 1);
        execute(vault, run(1, 0), 1);
        vm.warp(START + TERM);
        refused(run(1, 0), 1, abi.encodeWithSelector(IMandateVault.MandateEnded.selector, START + TERM));
    }

    function test_refuses_while_paused_and_after_a_stop_with_the_reason() public {
        vm.prank(owner);
        vault.revokeAgent();
        refused(run(0, 0), 0, abi.encodeWithSelector(IMandateVault.MandateStopped.selector, 3));
        vm.prank(owner);
        vault.stop();
        refused(run(0, 0), 0, abi.encodeWithSelector(IMandateVault.MandateStopped.selector, 1));
    }

    function test_refuses_after_the_stop_line_with_the_reason() public {
        MandateVault v = vaultV2;
        deposit(v, 400 * ONE);
        mark(v, 400 * ONE);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.MandateStopped.selector, 2));
        v.execute(address(target), run(0, 0), 0);
    }

    function test_one_refusal_hides_the_next_in_this_order() public {
        // Everything is wrong at once; what is put right uncovers the next.
        bytes memory data = abi.encodeCall(target.unlisted, (1));
        vm.prank(owner);
        vault.revokeAgent();
        uint256 snapshot = vm.snapshotState();
        vm.warp(START + TERM);
        stop(vault);
        refused(data, 2_000 * ONE, abi.encodeWithSelector(IMandateVault.MandateStopped.selector, 1));

        vm.revertToState(snapshot);
        vm.warp(START + TERM);
        refused(data, 2_000 * ONE, abi.encodeWithSelector(IMandateVault.MandateEnded.selector, START + TERM));

        vm.warp(START);
        refused(data, 2_000 * ONE, abi.encodeWithSelector(IMandateVault.MandateStopped.selector, 3));

        vm.prank(owner);
        vault.setAgent(stranger);
        refused(data, 2_000 * ONE, abi.encodeWithSelector(IMandateVault.NotAgent.selector, agent));

        vm.startPrank(owner);
        vault.revokeAgent();
        vault.setAgent(agent);
        vm.stopPrank();
        refused(
            data,
            2_000 * ONE,
            abi.encodeWithSelector(IMandateVault.TargetNotAllowed.selector, address(target), target.unlisted.selector)
        );
        refused(
            run(0, 0), 2_000 * ONE, abi.encodeWithSelector(IMandateVault.OverPerTxCap.selector, 2_000 * ONE, 100 * ONE)
        );
    }

    function test_the_daily_cap_comes_before_the_funds() public {
        MandateVault v = vaultV2;
        deposit(v, 250 * ONE);
        spend(v, 100 * ONE);
        spend(v, 100 * ONE);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.OverDailyCap.selector, 60 * ONE, 50 * ONE));
        v.execute(address(target), run(0, 0), 60 * ONE);
    }

    // ---- The day

    function test_the_day_is_the_utc_day() public {
        uint64 midnight = (START / 1 days + 1) * 1 days;
        vm.warp(midnight - 1);
        spend(vault, 100 * ONE);
        (uint64 day, uint256 used,) = vault.usage();
        vm.assertEq(used, 100 * ONE);
        vm.warp(midnight);
        uint256 left;
        (uint64 next, uint256 fresh, uint256 freshLeft) = vault.usage();
        left = freshLeft;
        vm.assertEq(next, day + 1);
        vm.assertEq(fresh, 0);
        vm.assertEq(left, 250 * ONE);
    }

    function test_twice_the_daily_cap_around_midnight_is_the_known_bound() public {
        uint64 midnight = (START / 1 days + 1) * 1 days;
        vm.warp(midnight - 1);
        spend(vault, 100 * ONE);
        spend(vault, 100 * ONE);
        spend(vault, 50 * ONE);
        vm.warp(midnight);
        spend(vault, 100 * ONE);
        spend(vault, 100 * ONE);
        spend(vault, 50 * ONE);
        vm.assertEq(vault.accounted(), 500 * ONE);
        refused(run(1, 0), 1, abi.encodeWithSelector(IMandateVault.OverDailyCap.selector, 1, 0));
        vm.warp(midnight + 1 days - 1);
        refused(run(1, 0), 1, abi.encodeWithSelector(IMandateVault.OverDailyCap.selector, 1, 0));
    }

    function testFuzz_the_caps_hold_for_every_sequence(uint256[12] memory asks, uint32[12] memory waits) public {
        mapping(uint256 => uint256) storage pulled = _pulled;
        for (uint256 i = 0; i < asks.length; ++i) {
            vm.warp(block.timestamp + (waits[i] % 12 hours));
            uint256 day = block.timestamp / 1 days;
            uint256 ask = asks[i] % (110 * ONE);
            uint256 taken = ask / 2 + (asks[i] >> 128) % (ask / 2 + 1);
            (, uint256 used, uint256 left) = vault.usage();
            vm.assertEq(used, pulled[day]);
            vm.assertEq(used + left, 250 * ONE);
            bool passes = ask <= 100 * ONE && ask <= left && ask <= vault.accounted();
            vm.prank(agent);
            (bool ok,) = address(vault).call(abi.encodeCall(vault.execute, (address(target), run(taken, 0), ask)));
            vm.assertEq(ok ? 1 : 0, passes ? 1 : 0);
            if (ok) pulled[day] += taken;
            vm.assertLe(pulled[day], 250 * ONE);
            assertBooks(vault);
            assertNoAllowance(vault, address(target));
        }
    }

    mapping(uint256 day => uint256) private _pulled;

    function testFuzz_nothing_unlisted_is_ever_called(address at, bytes memory data) public {
        vm.assume(!vault.isAllowed(at, bytes4(data)) || data.length < 4);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.TargetNotAllowed.selector, at, bytes4(data)));
        vault.execute(at, data, 0);
    }

    // ---- What moves money outside of the vault's sight

    function test_a_direct_transfer_is_recognised_before_the_funds_are_checked() public {
        MandateVault v = vaultV2;
        give(address(v), 30 * ONE);
        vm.assertEq(v.accounted(), 0);
        vm.expectEmit(address(v));
        emit IMandateVault.DirectDeposit(30 * ONE, 30 * ONE);
        spend(v, 30 * ONE);
        vm.assertEq(v.principal(), 30 * ONE);
        vm.assertEq(v.accounted(), 0);
    }
}
