// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMandateVault} from "../contracts/IMandateVault.sol";
import {MandateVault} from "../contracts/MandateVault.sol";
import {MandateVaultFactory} from "../contracts/MandateVaultFactory.sol";
import {Terms} from "../contracts/MandateTerms.sol";
import {VaultTest} from "./lib/VaultTest.sol";
import {Token} from "./mocks/Token.sol";

/// @dev Settling, withdrawing and the fee, which is 10 % of the profit.
contract FeeTest is VaultTest {
    function setUp() public override {
        super.setUp();
        deposit(vault, 500 * ONE);
    }

    // ---- Withdraw locks

    function locked(MandateVault v, uint8 reason, uint64 until) private {
        (uint8 told, uint64 toldUntil) = v.withdrawLock();
        vm.assertEq(told, reason);
        vm.assertEq(toldUntil, until);
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.WithdrawLocked.selector, reason, until));
        v.withdrawAll();
    }

    function unlocked(MandateVault v) private {
        (uint8 told, uint64 until) = v.withdrawLock();
        vm.assertEq(told, 0);
        vm.assertEq(until, 0);
        withdraw(v);
    }

    function test_locked_while_open_paused_or_not() public {
        locked(vault, 1, START + TERM);
        vm.prank(owner);
        vault.revokeAgent();
        vm.warp(START + TERM - 1);
        locked(vault, 1, START + TERM);
    }

    function test_locked_for_a_day_after_the_end_then_free_without_anybody() public {
        vm.warp(START + TERM);
        locked(vault, 2, START + TERM + 1 days);
        vm.warp(START + TERM + 1 days - 1);
        locked(vault, 2, START + TERM + 1 days);
        vm.warp(START + TERM + 1 days);
        unlocked(vault);
    }

    function test_a_settlement_ends_the_grace() public {
        vm.warp(START + TERM);
        settleByKeeper(vault);
        unlocked(vault);
    }

    function test_a_stop_opens_at_once() public {
        stop(vault);
        unlocked(vault);
    }

    function test_the_stop_line_opens_at_once() public {
        spend(vault, 100 * ONE);
        mark(vault, 400 * ONE);
        unlocked(vault);
    }

    /// @dev The lock follows from three facts: when the vault closed, whether it was settled, and the time.
    function testFuzz_the_lock_follows_the_clock_the_stop_and_the_settlement(
        uint32 stopAfter,
        uint32 settleAfter,
        uint32 now_
    ) public {
        uint256 time = START + (now_ % (TERM + 3 days));
        uint256 stopTime = START + (stopAfter % (TERM + 3 days));
        uint256 settleTime = START + (settleAfter % (TERM + 3 days));
        bool stopped = stopTime <= time;
        if (stopped) {
            vm.warp(stopTime);
            stop(vault);
        }
        bool settled = settleTime <= time && (settleTime >= START + TERM || (stopped && settleTime >= stopTime));
        if (settled) {
            vm.warp(settleTime);
            settleByKeeper(vault);
        }
        vm.warp(time);
        if (stopped || settled || time >= START + TERM + 1 days) unlocked(vault);
        else if (time >= START + TERM) locked(vault, 2, START + TERM + 1 days);
        else locked(vault, 1, START + TERM);
        vm.assertEq(vault.phase(), settled ? 4 : stopped ? 2 : time >= START + TERM ? 3 : 0);
    }

    // ---- Withdrawals

    function test_a_withdrawal_pays_everything_but_the_fee() public {
        earn(vault, 100 * ONE);
        stop(vault);
        vm.expectEmit(address(vault));
        emit IMandateVault.Withdrawn(owner, 590 * ONE, 10 * ONE);
        vm.assertEq(withdraw(vault), 590 * ONE);
        vm.assertEq(usdc.balanceOf(owner), 590 * ONE);
        vm.assertEq(vault.accounted(), 0);
        vm.assertEq(vault.withdrawn(), 590 * ONE);
        vm.assertEq(vault.feeTotal(), 10 * ONE);
        vm.assertEq(vault.feeOwed(), 10 * ONE);
        vm.assertEq(usdc.balanceOf(address(vault)), 10 * ONE);
        vm.assertEq(vault.principal(), 500 * ONE);
    }

    function test_a_second_withdrawal_pays_nothing_and_takes_no_fee_again() public {
        earn(vault, 100 * ONE);
        stop(vault);
        withdraw(vault);
        vm.expectEmit(address(vault));
        emit IMandateVault.Withdrawn(owner, 0, 0);
        vm.assertEq(withdraw(vault), 0);
        vm.assertEq(vault.feeTotal(), 10 * ONE);
        vm.assertEq(usdc.balanceOf(address(vault)), 10 * ONE);
    }

    function test_a_loss_pays_no_fee() public {
        spend(vault, 100 * ONE);
        earn(vault, 40 * ONE);
        stop(vault);
        vm.assertEq(withdraw(vault), 440 * ONE);
        vm.assertEq(vault.feeTotal(), 0);
    }

    function test_a_recovered_loss_is_no_profit() public {
        spend(vault, 100 * ONE);
        stop(vault);
        withdraw(vault);
        unwindFor(vault, 100 * ONE);
        vm.assertEq(withdraw(vault), 100 * ONE);
        vm.assertEq(vault.feeTotal(), 0);
    }

    // ---- The fee cannot be dodged

    function test_withdrawing_before_unwinding_does_not_dodge_the_fee() public {
        spend(vault, 100 * ONE);
        stop(vault);
        vm.assertEq(withdraw(vault), 400 * ONE);
        unwindFor(vault, 300 * ONE);
        // 700 came of 500: 20 is the fee.
        vm.assertEq(withdraw(vault), 280 * ONE);
        vm.assertEq(vault.feeTotal(), 20 * ONE);
    }

    function test_settling_before_unwinding_does_not_dodge_the_fee() public {
        spend(vault, 100 * ONE);
        stop(vault);
        vm.warp(block.timestamp + 1 days);
        vm.expectEmit(address(vault));
        emit IMandateVault.Settled(400 * ONE, 500 * ONE, 0, owner);
        vm.prank(owner);
        vault.settle();
        unwindFor(vault, 300 * ONE);
        vm.expectEmit(address(vault));
        emit IMandateVault.Withdrawn(owner, 680 * ONE, 20 * ONE);
        withdraw(vault);
        vm.assertEq(vault.feeTotal(), 20 * ONE);
    }

    /// @dev Whatever the owner does first and in how many pieces the position comes back, the fee is the same.
    function testFuzz_the_order_of_closing_does_not_change_the_fee(
        uint64 spent,
        uint64[4] memory back,
        uint8[12] memory steps,
        uint16 feeBps
    ) public {
        Terms memory t = terms();
        t.mandateIdHash = keccak256("order");
        t.feeBps = uint16(bound(feeBps, 0, 5_000));
        MandateVault v = create(t);
        deposit(v, 500 * ONE);
        spend(v, spent % (100 * ONE));
        stop(v);
        vm.warp(block.timestamp + 1 days);
        uint256 next;
        for (uint256 i = 0; i < steps.length; ++i) {
            uint256 step = steps[i] % 4;
            if (step == 0) withdraw(v);
            if (step == 1 && !v.settled()) v.settle();
            if (step == 2 && v.feeOwed() != 0) v.claimFee();
            if (step == 3 && next < 4) unwindFor(v, back[next++] % (300 * ONE));
            assertBooks(v);
        }
        while (next < 4) unwindFor(v, back[next++] % (300 * ONE));
        withdraw(v);
        if (v.feeOwed() != 0) v.claimFee();

        uint256 realised = 500 * ONE - (spent % (100 * ONE));
        for (uint256 i = 0; i < 4; ++i) {
            realised += back[i] % (300 * ONE);
        }
        uint256 profit = realised > 500 * ONE ? realised - 500 * ONE : 0;
        vm.assertEq(v.feeTotal(), (profit * t.feeBps) / 10_000, "fee of the realised profit");
        vm.assertEq(usdc.balanceOf(feeRecipient), v.feeTotal());
        vm.assertEq(usdc.balanceOf(owner), realised - v.feeTotal());
        vm.assertEq(v.withdrawn() + v.feeTotal(), realised);
        vm.assertEq(usdc.balanceOf(address(v)), 0);
    }

    function test_a_fee_of_zero_takes_nothing() public {
        Terms memory t = terms();
        t.mandateIdHash = keccak256("free");
        t.feeBps = 0;
        MandateVault v = create(t);
        deposit(v, 100 * ONE);
        earn(v, 100 * ONE);
        stop(v);
        vm.assertEq(withdraw(v), 200 * ONE);
    }

    function test_the_fee_is_rounded_down() public {
        earn(vault, 19);
        stop(vault);
        withdraw(vault);
        vm.assertEq(vault.feeTotal(), 1);
    }

    function test_a_donation_in_the_open_raises_the_principal_and_not_the_fee() public {
        give(address(vault), 100 * ONE);
        spend(vault, 0);
        stop(vault);
        vm.assertEq(withdraw(vault), 600 * ONE);
        vm.assertEq(vault.feeTotal(), 0);
    }

    // ---- Settling

    function test_a_settlement_books_the_fee_once() public {
        earn(vault, 100 * ONE);
        stop(vault);
        vm.expectEmit(address(vault));
        emit IMandateVault.Settled(600 * ONE, 500 * ONE, 10 * ONE, keeper);
        settleByKeeper(vault);
        vm.assertTrue(vault.settled());
        vm.assertEq(vault.phase(), 4);
        vm.assertEq(vault.feeOwed(), 10 * ONE);
        vm.assertEq(vault.accounted(), 590 * ONE);
        vm.prank(keeper);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.AlreadySettled.selector));
        vault.settle();
        vm.assertEq(withdraw(vault), 590 * ONE);
        vm.assertEq(vault.feeTotal(), 10 * ONE);
    }

    function test_a_settlement_after_a_withdrawal_adds_no_fee() public {
        earn(vault, 100 * ONE);
        stop(vault);
        withdraw(vault);
        vm.expectEmit(address(vault));
        emit IMandateVault.Settled(600 * ONE, 500 * ONE, 0, keeper);
        settleByKeeper(vault);
        vm.assertEq(vault.feeTotal(), 10 * ONE);
    }

    function test_an_open_vault_cannot_be_settled() public {
        vm.prank(keeper);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.NotClosed.selector));
        vault.settle();
        vm.warp(START + TERM - 1);
        vm.prank(keeper);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.NotClosed.selector));
        vault.settle();
    }

    function settleRefusedTo(address who) private {
        vm.prank(who);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.NotKeeper.selector, who));
        vault.settle();
    }

    function test_anybody_settles_a_day_after_the_stop() public {
        vm.warp(START + 100);
        stop(vault);
        vm.warp(START + 100 + 1 days - 1);
        settleRefusedTo(owner);
        settleRefusedTo(stranger);
        vm.warp(START + 100 + 1 days);
        vm.prank(stranger);
        vault.settle();
    }

    function test_anybody_settles_a_day_after_the_end() public {
        vm.warp(START + TERM + 1 days - 1);
        settleRefusedTo(owner);
        vm.warp(START + TERM + 1 days);
        vm.prank(stranger);
        vault.settle();
    }

    function test_a_stop_after_the_end_does_not_begin_the_day_again() public {
        vm.warp(START + TERM + 1 days - 1);
        stop(vault);
        settleRefusedTo(stranger);
        vm.warp(START + TERM + 1 days);
        vm.prank(stranger);
        vault.settle();
    }

    // ---- Claiming

    function test_anybody_sends_the_fee_and_only_to_its_recipient() public {
        earn(vault, 100 * ONE);
        stop(vault);
        withdraw(vault);
        vm.expectEmit(address(vault));
        emit IMandateVault.FeeClaimed(feeRecipient, 10 * ONE);
        vm.prank(stranger);
        vm.assertEq(vault.claimFee(), 10 * ONE);
        vm.assertEq(usdc.balanceOf(feeRecipient), 10 * ONE);
        vm.assertEq(vault.feeOwed(), 0);
        vm.assertEq(vault.feeTotal(), 10 * ONE);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.ZeroAmount.selector));
        vault.claimFee();
    }

    function test_money_owed_as_fee_cannot_be_withdrawn() public {
        earn(vault, 100 * ONE);
        stop(vault);
        settleByKeeper(vault);
        withdraw(vault);
        vm.assertEq(withdraw(vault), 0);
        vm.assertEq(vault.claimFee(), 10 * ONE);
    }

    function test_a_blacklisted_fee_recipient_does_not_hold_the_owner_back() public {
        Token token = new Token();
        MandateVaultFactory f = new MandateVaultFactory(address(token), factory.implementation(), keeper, admin);
        Terms memory t = terms();
        t.usdc = address(token);
        vm.prank(owner);
        MandateVault v = MandateVault(f.createVault(t));
        token.mint(owner, 100 * ONE);
        vm.startPrank(owner);
        token.approve(address(v), 100 * ONE);
        v.deposit(100 * ONE);
        vm.stopPrank();
        token.blacklist(feeRecipient, true);
        vm.prank(owner);
        v.stop();
        earnToken(v, token, 50 * ONE);

        vm.assertEq(withdraw(v), 145 * ONE);
        vm.expectRevert("blacklisted");
        v.claimFee();
        vm.assertEq(v.feeOwed(), 5 * ONE);
        token.blacklist(feeRecipient, false);
        vm.assertEq(v.claimFee(), 5 * ONE);
    }

    /// @dev Unwinds at a target that mints `amount` to the vault.
    function earnToken(MandateVault v, Token token, uint256 amount) private {
        vm.etch(address(target), address(new Mint()).code);
        vm.prank(owner);
        v.unwind(address(target), abi.encodeCall(Mint.run, (token, amount)));
    }
}

contract Mint {
    function run(Token token, uint256 amount) external {
        token.mint(msg.sender, amount);
    }
}
