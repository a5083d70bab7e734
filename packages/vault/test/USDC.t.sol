// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {TestUSDC} from "../contracts/TestUSDC.sol";
import {VaultTest} from "./lib/VaultTest.sol";

contract USDCTest is VaultTest {
    uint256 private constant OWNER_KEY = 4;

    function test_six_decimals_and_a_name_that_says_what_it_is() public view {
        vm.assertEq(usdc.decimals(), 6);
        vm.assertEq(usdc.name(), "Test USDC");
        vm.assertEq(usdc.symbol(), "tUSDC");
    }

    function test_only_its_owner_mints() public {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        usdc.mint(stranger, 1);
        vm.prank(admin);
        usdc.mint(stranger, 1);
        vm.assertEq(usdc.balanceOf(stranger), 1);
    }

    function test_the_faucet_pays_once_in_24_hours() public {
        vm.startPrank(stranger);
        usdc.faucet();
        vm.assertEq(usdc.balanceOf(stranger), 1_000 * ONE);
        vm.assertEq(usdc.lastFaucet(stranger), START);
        vm.warp(START + 1 days - 1);
        vm.expectRevert(abi.encodeWithSelector(TestUSDC.FaucetWait.selector, START + 1 days));
        usdc.faucet();
        vm.warp(START + 1 days);
        usdc.faucet();
        vm.assertEq(usdc.balanceOf(stranger), 2 * usdc.FAUCET());
        vm.stopPrank();
        vm.prank(agent);
        usdc.faucet();
    }

    function signPermit(uint256 value, uint256 deadline) private view returns (uint8 v, bytes32 r, bytes32 s) {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 message = keccak256(abi.encode(typeHash, owner, address(vault), value, usdc.nonces(owner), deadline));
        return vm.sign(OWNER_KEY, keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), message)));
    }

    function test_a_permit_allows_a_deposit_once() public {
        give(owner, 100 * ONE);
        (uint8 v, bytes32 r, bytes32 s) = signPermit(100 * ONE, START + 60);
        vm.prank(stranger);
        usdc.permit(owner, address(vault), 100 * ONE, START + 60, v, r, s);
        vm.prank(owner);
        vault.deposit(100 * ONE);
        vm.assertEq(vault.principal(), 100 * ONE);
        vm.expectPartialRevert(ERC20Permit.ERC2612InvalidSigner.selector);
        usdc.permit(owner, address(vault), 100 * ONE, START + 60, v, r, s);
    }

    function test_a_permit_ends_at_its_deadline() public {
        (uint8 v, bytes32 r, bytes32 s) = signPermit(1, START);
        vm.warp(START + 1);
        vm.expectRevert(abi.encodeWithSelector(ERC20Permit.ERC2612ExpiredSignature.selector, START));
        usdc.permit(owner, address(vault), 1, START, v, r, s);
    }

    /// @dev A vault answers no signature question, so nobody can permit in its name.
    function test_nobody_permits_in_the_name_of_a_vault() public {
        deposit(vault, 100 * ONE);
        (uint8 v, bytes32 r, bytes32 s) = signPermit(100 * ONE, START + 60);
        vm.expectPartialRevert(ERC20Permit.ERC2612InvalidSigner.selector);
        usdc.permit(address(vault), stranger, 100 * ONE, START + 60, v, r, s);
    }
}
