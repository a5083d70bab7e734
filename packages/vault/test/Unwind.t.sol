// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMandateVault} from "../contracts/IMandateVault.sol";
import {MandateVault} from "../contracts/MandateVault.sol";
import {VaultTest} from "./lib/VaultTest.sol";
import {Token} from "./mocks/Token.sol";

contract UnwindTest is VaultTest {
    function setUp() public override {
        super.setUp();
        deposit(vault, 500 * ONE);
    }

    function run(uint256 take, uint256 pay) private view returns (bytes memory) {
        return abi.encodeCall(target.run, (take, pay));
    }

    function refused(address who, address at, bytes memory data, bytes memory reason) private {
        vm.prank(who);
        vm.expectRevert(reason);
        vault.unwind(at, data);
    }

    function notAllowed(address at, bytes4 selector) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IMandateVault.TargetNotAllowed.selector, at, selector);
    }

    function test_a_position_comes_home_after_a_stop() public {
        buy(vault, 100 * ONE);
        uint256 units = venue.units(address(vault), MARKET);
        (uint256 value,) = venue.quoteSell(MARKET, units);
        stop(vault);
        bytes memory data = abi.encodeCall(venue.sell, (MARKET, units, value));
        vm.expectEmit(address(vault));
        emit IMandateVault.Unwound(owner, address(venue), venue.sell.selector, value);
        vm.prank(owner);
        vault.unwind(address(venue), data);
        vm.assertEq(vault.accounted(), 400 * ONE + value);
        vm.assertEq(venue.units(address(vault), MARKET), 0);
        assertBooks(vault);
    }

    function test_an_unwinding_names_who_did_it() public {
        vm.warp(START + TERM);
        address[2] memory callers = [agent, owner];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectEmit(address(vault));
            emit IMandateVault.Unwound(callers[i], address(target), target.run.selector, 3 * ONE);
            vm.prank(callers[i]);
            vault.unwind(address(target), run(0, 3 * ONE));
        }
    }

    function test_an_open_vault_unwinds_nothing() public {
        bytes memory open = abi.encodeWithSelector(IMandateVault.NotClosed.selector);
        refused(owner, address(target), run(0, 1), open);
        refused(agent, address(target), run(0, 1), open);
        vm.prank(owner);
        vault.revokeAgent();
        refused(owner, address(target), run(0, 1), open);
        vm.warp(START + TERM - 1);
        refused(owner, address(target), run(0, 1), open);
    }

    function test_possible_when_ended_and_when_settled() public {
        vm.warp(START + TERM);
        vm.prank(agent);
        vault.unwind(address(target), run(0, 3 * ONE));
        settleByKeeper(vault);
        vm.prank(agent);
        vault.unwind(address(target), run(0, 4 * ONE));
        vm.prank(owner);
        vault.unwind(address(target), run(0, 5 * ONE));
        vm.assertEq(uint256(vault.accounted()) + vault.feeOwed(), 512 * ONE);
    }

    function test_only_the_owner_and_the_agent_unwind() public {
        vm.warp(START + TERM);
        address[3] memory others = [keeper, stranger, feeRecipient];
        for (uint256 i = 0; i < others.length; ++i) {
            refused(
                others[i],
                address(target),
                run(0, 1),
                abi.encodeWithSelector(IMandateVault.NotAgent.selector, others[i])
            );
        }
    }

    function test_a_revoked_agent_does_not_unwind() public {
        stop(vault);
        refused(agent, address(target), run(0, 1), abi.encodeWithSelector(IMandateVault.NotAgent.selector, agent));
    }

    function test_the_agent_is_held_to_the_listed_functions() public {
        vm.warp(START + TERM);
        bytes memory data = abi.encodeCall(target.unlisted, (7 * ONE));
        refused(agent, address(target), data, notAllowed(address(target), target.unlisted.selector));
        refused(agent, address(usdc), abi.encodeCall(usdc.faucet, ()), notAllowed(address(usdc), usdc.faucet.selector));
        refused(agent, address(target), "", notAllowed(address(target), bytes4(0)));
    }

    function test_the_owner_may_use_any_function_of_a_listed_target() public {
        vm.warp(START + TERM);
        vm.prank(owner);
        vault.unwind(address(target), abi.encodeCall(target.unlisted, (7 * ONE)));
        vm.assertEq(vault.accounted(), 507 * ONE);
    }

    function test_the_owner_is_held_to_the_listed_targets() public {
        stop(vault);
        bytes memory data = abi.encodeCall(usdc.transfer, (owner, 500 * ONE));
        refused(owner, address(usdc), data, notAllowed(address(usdc), usdc.transfer.selector));
        data = abi.encodeCall(gateway.topUp, (1));
        refused(owner, address(gateway), data, notAllowed(address(gateway), gateway.topUp.selector));
        refused(owner, address(target), hex"010203", notAllowed(address(target), bytes4(0x01020300)));
        vm.etch(address(target), "");
        refused(owner, address(target), run(0, 1), notAllowed(address(target), target.run.selector));
    }

    function test_unwinding_takes_no_money_along() public {
        stop(vault);
        vm.prank(owner);
        vm.expectPartialRevert(IMandateVault.TargetCallFailed.selector);
        vault.unwind(address(target), run(1, 0));
        vm.assertEq(vault.accounted(), 500 * ONE);
        assertNoAllowance(vault, address(target));
    }

    function test_unwinding_does_not_count_against_the_day() public {
        vm.warp(START + TERM);
        vm.prank(agent);
        vault.unwind(address(target), run(0, 300 * ONE));
        (, uint256 used, uint256 left) = vault.usage();
        vm.assertEq(used, 0);
        vm.assertEq(left, 250 * ONE);
    }

    // ---- Rescue

    function rescueRefused(MandateVault v, address token, bytes memory reason) private {
        vm.prank(owner);
        vm.expectRevert(reason);
        v.rescue(token);
    }

    function test_a_stray_token_goes_to_the_owner_once_closed() public {
        Token stray = new Token();
        stray.mint(address(vault), 9);
        rescueRefused(vault, address(stray), abi.encodeWithSelector(IMandateVault.NotClosed.selector));
        stop(vault);
        vm.expectEmit(address(vault));
        emit IMandateVault.Rescued(address(stray), 9);
        vm.prank(owner);
        vault.rescue(address(stray));
        vm.assertEq(stray.balanceOf(owner), 9);
        rescueRefused(vault, address(stray), abi.encodeWithSelector(IMandateVault.ZeroAmount.selector));
    }

    function test_neither_the_vaults_own_money_nor_a_token_without_code_is_rescued() public {
        stop(vault);
        rescueRefused(vault, address(usdc), abi.encodeWithSelector(IMandateVault.BadToken.selector, address(usdc)));
        rescueRefused(vault, stranger, abi.encodeWithSelector(IMandateVault.BadToken.selector, stranger));
    }

    function test_a_stray_token_is_rescued_after_the_end_too() public {
        Token stray = new Token();
        stray.mint(address(vault), 9);
        vm.warp(START + TERM);
        vm.prank(owner);
        vault.rescue(address(stray));
        vm.assertEq(stray.balanceOf(owner), 9);
    }
}
