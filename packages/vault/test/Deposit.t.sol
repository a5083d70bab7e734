// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IMandateVault} from "../contracts/IMandateVault.sol";
import {MandateVault} from "../contracts/MandateVault.sol";
import {MandateVaultFactory} from "../contracts/MandateVaultFactory.sol";
import {Terms} from "../contracts/MandateTerms.sol";
import {VaultTest} from "./lib/VaultTest.sol";
import {Token} from "./mocks/Token.sol";

contract DepositTest is VaultTest {
    function refused(uint256 amount, bytes memory reason) private {
        vm.prank(owner);
        vm.expectRevert(reason);
        vault.deposit(amount);
    }

    function test_deposits_add_up_with_running_totals() public {
        give(owner, 1_000 * ONE);
        vm.startPrank(owner);
        usdc.approve(address(vault), 1_000 * ONE);
        vm.expectEmit(address(vault));
        emit IMandateVault.Deposited(owner, 300 * ONE, 300 * ONE);
        vault.deposit(300 * ONE);
        vm.expectEmit(address(vault));
        emit IMandateVault.Deposited(owner, 700 * ONE, 1_000 * ONE);
        vault.deposit(700 * ONE);
        vm.stopPrank();
        vm.assertEq(vault.principal(), 1_000 * ONE);
        vm.assertEq(vault.accounted(), 1_000 * ONE);
        vm.assertEq(usdc.balanceOf(address(vault)), 1_000 * ONE);
    }

    function test_only_the_owner_deposits() public {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.NotOwner.selector, stranger));
        vault.deposit(1);
    }

    function test_refuses_zero() public {
        refused(0, abi.encodeWithSelector(IMandateVault.ZeroAmount.selector));
    }

    function test_refuses_above_the_budget_and_says_the_room() public {
        refused(
            1_000 * ONE + 1, abi.encodeWithSelector(IMandateVault.OverBudget.selector, 1_000 * ONE + 1, 1_000 * ONE)
        );
        deposit(vault, 900 * ONE);
        refused(100 * ONE + 1, abi.encodeWithSelector(IMandateVault.OverBudget.selector, 100 * ONE + 1, 100 * ONE));
        deposit(vault, 100 * ONE);
        refused(1, abi.encodeWithSelector(IMandateVault.OverBudget.selector, 1, 0));
    }

    function test_spent_money_makes_no_room_in_the_budget() public {
        deposit(vault, 1_000 * ONE);
        spend(vault, 100 * ONE);
        refused(1, abi.encodeWithSelector(IMandateVault.OverBudget.selector, 1, 0));
    }

    function test_possible_while_paused_and_no_longer_when_closed() public {
        vm.prank(owner);
        vault.revokeAgent();
        deposit(vault, 1 * ONE);
        vm.warp(START + TERM);
        refused(1, abi.encodeWithSelector(IMandateVault.MandateEnded.selector, START + TERM));
        stop(vault);
        refused(1, abi.encodeWithSelector(IMandateVault.MandateStopped.selector, 1));
    }

    // ---- Direct transfers

    function test_a_direct_transfer_counts_as_paid_in_at_the_next_deposit() public {
        give(address(vault), 40 * ONE);
        vm.assertEq(vault.principal(), 0);
        give(owner, 60 * ONE);
        vm.startPrank(owner);
        usdc.approve(address(vault), 60 * ONE);
        vm.expectEmit(address(vault));
        emit IMandateVault.Deposited(owner, 60 * ONE, 60 * ONE);
        vm.expectEmit(address(vault));
        emit IMandateVault.DirectDeposit(40 * ONE, 100 * ONE);
        vault.deposit(60 * ONE);
        vm.stopPrank();
        vm.assertEq(vault.accounted(), 100 * ONE);
    }

    function test_nobody_can_fill_the_budget_ahead_of_a_deposit() public {
        give(address(vault), 1);
        deposit(vault, 1_000 * ONE);
        vm.assertEq(vault.principal(), 1_000 * ONE);
    }

    function test_beyond_the_budget_it_is_out_of_reach_and_comes_back_free_of_fee() public {
        deposit(vault, 900 * ONE);
        give(address(vault), 500 * ONE);
        vm.expectEmit(address(vault));
        emit IMandateVault.DirectDeposit(100 * ONE, 1_000 * ONE);
        spend(vault, 0);
        vm.assertEq(vault.principal(), 1_000 * ONE);
        vm.assertEq(vault.accounted(), 1_000 * ONE);
        stop(vault);
        vm.assertEq(withdraw(vault), 1_400 * ONE);
        vm.assertEq(vault.feeTotal(), 0);
        vm.assertEq(vault.withdrawn(), 1_000 * ONE);
    }

    function test_after_the_close_it_goes_to_the_owner_free_of_fee() public {
        deposit(vault, 100 * ONE);
        stop(vault);
        give(address(vault), 50 * ONE);
        vm.assertEq(withdraw(vault), 150 * ONE);
        give(address(vault), 7 * ONE);
        vm.assertEq(withdraw(vault), 7 * ONE);
        vm.assertEq(vault.feeTotal(), 0);
        vm.assertEq(vault.principal(), 100 * ONE);
    }

    function testFuzz_paid_in_never_exceeds_the_budget(uint96[8] memory amounts) public {
        for (uint256 i = 0; i < amounts.length; ++i) {
            uint256 amount = amounts[i] % (400 * ONE);
            uint256 room = 1_000 * ONE - vault.principal();
            if (i % 2 == 0) {
                give(address(vault), amount);
                spend(vault, 0);
            } else if (amount != 0 && amount <= room) {
                deposit(vault, amount);
            }
            assertBooks(vault);
            vm.assertEq(vault.accounted(), vault.principal());
        }
    }
}

/// @dev Vaults over tokens that are not as a token should be.
contract BadTokenTest is VaultTest {
    Token private token;
    MandateVaultFactory private tokenFactory;
    MandateVault private v;

    function setUp() public override {
        super.setUp();
        token = new Token();
        tokenFactory = new MandateVaultFactory(address(token), factory.implementation(), keeper, admin);
        Terms memory t = terms();
        t.usdc = address(token);
        vm.prank(owner);
        v = MandateVault(tokenFactory.createVault(t));
        token.mint(owner, 500 * ONE);
        vm.prank(owner);
        token.approve(address(v), type(uint256).max);
    }

    function pay(uint256 amount) private {
        vm.prank(owner);
        v.deposit(amount);
    }

    function test_a_token_that_answers_nothing_works() public {
        token.setMode(Token.Mode.NoAnswer);
        pay(100 * ONE);
        vm.assertEq(v.accounted(), 100 * ONE);
        stop(v);
        vm.assertEq(withdraw(v), 100 * ONE);
        vm.assertEq(token.balanceOf(owner), 500 * ONE);
    }

    function test_a_token_that_answers_false_moves_nothing_in_the_books() public {
        pay(100 * ONE);
        token.setMode(Token.Mode.AnswersFalse);
        bytes memory failure = abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token));
        vm.prank(owner);
        vm.expectRevert(failure);
        v.deposit(100 * ONE);
        stop(v);
        vm.prank(owner);
        vm.expectRevert(failure);
        v.withdrawAll();
        vm.assertEq(v.accounted(), 100 * ONE);
        vm.assertEq(v.withdrawn(), 0);
    }

    function test_a_token_that_takes_a_fee_is_credited_by_what_arrives() public {
        token.setMode(Token.Mode.TakesFee);
        pay(100 * ONE);
        vm.assertEq(v.principal(), 99 * ONE);
        vm.assertEq(v.accounted(), 99 * ONE);
        vm.assertEq(token.balanceOf(address(v)), 99 * ONE);
    }

    function test_a_deposit_of_which_nothing_arrives_is_refused() public {
        token.setMode(Token.Mode.TakesAll);
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.ZeroAmount.selector));
        v.deposit(100 * ONE);
    }

    function test_a_deposit_is_never_credited_with_more_than_was_asked() public {
        token.setMode(Token.Mode.PaysDouble);
        pay(900 * ONE / 2);
        vm.assertEq(v.principal(), 900 * ONE);
        // The rest was booked apart, as a direct transfer: the budget still holds.
        token.setMode(Token.Mode.PaysDouble);
        token.mint(owner, 500 * ONE);
        pay(100 * ONE);
        vm.assertEq(v.principal(), 1_000 * ONE);
    }

    function test_a_token_that_moves_money_without_its_allowance_is_caught() public {
        pay(100 * ONE);
        token.mint(address(v), 0);
        Terms memory t = terms();
        t.usdc = address(token);
        t.mandateIdHash = keccak256("leak");
        t.calls[0].target = address(new Leak(token));
        t.calls[0].selector = Leak.run.selector;
        vm.prank(owner);
        v = MandateVault(tokenFactory.createVault(t));
        vm.prank(owner);
        token.approve(address(v), type(uint256).max);
        pay(100 * ONE);

        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.SpendMismatch.selector, 0, 5 * ONE));
        v.execute(t.calls[0].target, abi.encodeCall(Leak.run, (5 * ONE)), 10 * ONE);

        stop(v);
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.UnwindSpent.selector, 5 * ONE));
        v.unwind(t.calls[0].target, abi.encodeCall(Leak.run, (5 * ONE)));
    }

    function test_money_that_a_token_takes_away_does_not_lock_the_rest() public {
        pay(100 * ONE);
        token.burn(address(v), 30 * ONE);
        stop(v);
        vm.assertEq(withdraw(v), 70 * ONE);
        vm.assertEq(withdraw(v), 0);
    }
}

/// @dev A target that can take from the vault without an allowance.
contract Leak {
    Token private immutable _token;

    constructor(Token token) {
        _token = token;
    }

    function run(uint256 amount) external {
        _token.burn(msg.sender, amount);
    }
}
