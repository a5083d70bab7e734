// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {TestVenue} from "../contracts/TestVenue.sol";
import {VaultTest} from "./lib/VaultTest.sol";

/// @dev One account trades at the venue. The price is 0.50, so buying costs 0.5005 and selling yields 0.4995.
contract VenueTest is VaultTest {
    function setUp() public override {
        super.setUp();
        give(owner, 100_000 * ONE);
        vm.startPrank(owner);
        usdc.approve(address(venue), type(uint256).max);
    }

    function asAdmin() private {
        vm.stopPrank();
        vm.startPrank(admin);
    }

    function asOwner() private {
        vm.stopPrank();
        vm.startPrank(owner);
    }

    function test_a_purchase_pays_fee_and_half_the_spread() public {
        // 1,001 - 0.1 % = 999.999; at 0.5005 that is 1,998 units and nothing left over.
        uint256 units = uint256(999_999_000) * 1e6 / 500_500;
        vm.expectEmit(address(venue));
        emit TestVenue.Bought(owner, MARKET, 1_001 * ONE, units, 1_001_000, 500_500);
        vm.assertEq(venue.buy(MARKET, 1_001 * ONE, units), units);
        vm.assertEq(venue.units(owner, MARKET), units);
        vm.assertEq(usdc.balanceOf(owner), 98_999 * ONE);
        vm.assertEq(usdc.balanceOf(address(venue)), 1_001_001 * ONE);
        bytes32[] memory held = venue.held(owner);
        vm.assertEq(held.length, 1);
        vm.assertEq(held[0], MARKET);
    }

    function test_a_sale_pays_fee_and_half_the_spread() public {
        venue.buy(MARKET, 10_000 * ONE, 0);
        uint256 units = 10_000 * ONE;
        uint256 out = 4_995 * ONE - 4_995_000;
        vm.expectEmit(address(venue));
        emit TestVenue.Sold(owner, MARKET, units, out, 4_995_000, 499_500);
        vm.assertEq(venue.sell(MARKET, units, out), out);
        vm.assertEq(usdc.balanceOf(owner), 90_000 * ONE + out);
    }

    function test_quotes_are_what_a_trade_pays_and_say_its_cost() public {
        (uint256 units, uint256 cost) = venue.quoteBuy(MARKET, 1_001 * ONE);
        vm.assertEq(cost, 1_001 * ONE - units / 2);
        vm.assertEq(venue.buy(MARKET, 1_001 * ONE, units), units);
        (uint256 out, uint256 exitCost) = venue.quoteSell(MARKET, units);
        vm.assertEq(exitCost, units / 2 - out);
        vm.assertEq(venue.sell(MARKET, units, out), out);
        vm.assertEq(venue.held(owner).length, 0);
    }

    function testFuzz_a_round_trip_never_gains(uint128 price, uint64 amount) public {
        uint256 spent = bound(amount, 1, 50_000 * ONE);
        asAdmin();
        venue.setPrice(MARKET, uint128(bound(price, 1, 1e18)));
        asOwner();
        (uint256 units, uint256 cost) = venue.quoteBuy(MARKET, spent);
        vm.assertLe(cost, spent);
        if (units == 0) return;
        uint256 before = usdc.balanceOf(owner);
        vm.assertEq(venue.buy(MARKET, spent, units), units);
        (uint256 out,) = venue.quoteSell(MARKET, units);
        vm.assertEq(venue.sell(MARKET, units, out), out);
        vm.assertLe(out, spent);
        vm.assertEq(usdc.balanceOf(owner), before - spent + out);
        vm.assertEq(venue.units(owner, MARKET), 0);
    }

    function test_a_trade_worse_than_its_limit_is_refused() public {
        (uint256 units,) = venue.quoteBuy(MARKET, 100 * ONE);
        vm.expectRevert(abi.encodeWithSelector(TestVenue.BadPrice.selector, units, units + 1));
        venue.buy(MARKET, 100 * ONE, units + 1);
        venue.buy(MARKET, 100 * ONE, units);
        (uint256 out,) = venue.quoteSell(MARKET, units);
        vm.expectRevert(abi.encodeWithSelector(TestVenue.BadPrice.selector, out, out + 1));
        venue.sell(MARKET, units, out + 1);
    }

    function test_a_purchase_of_nothing_is_refused() public {
        vm.expectRevert(abi.encodeWithSelector(TestVenue.BadPrice.selector, 0, 0));
        venue.buy(MARKET, 0, 0);
        vm.expectRevert(abi.encodeWithSelector(TestVenue.BadPrice.selector, 0, 0));
        venue.buy(MARKET, 1, 0);
    }

    function test_nobody_sells_more_than_they_hold() public {
        venue.buy(MARKET, 100 * ONE, 0);
        uint256 units = venue.units(owner, MARKET);
        vm.expectRevert(abi.encodeWithSelector(TestVenue.NoPosition.selector));
        venue.sell(MARKET, units + 1, 0);
        vm.expectRevert(abi.encodeWithSelector(TestVenue.NoPosition.selector));
        venue.sell(MARKET, 0, 0);
        vm.stopPrank();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(TestVenue.NoPosition.selector));
        venue.sell(MARKET, 1, 0);
    }

    function test_a_venue_without_money_says_what_it_has() public {
        venue.buy(MARKET, 100 * ONE, 0);
        asAdmin();
        venue.setPrice(MARKET, 500_000e6);
        asOwner();
        uint256 units = venue.units(owner, MARKET);
        (uint256 out,) = venue.quoteSell(MARKET, units);
        vm.expectRevert(abi.encodeWithSelector(TestVenue.Illiquid.selector, out, 1_000_100 * ONE));
        venue.sell(MARKET, units, 0);
    }

    function test_there_is_no_trade_in_a_market_that_is_not() public {
        bytes32 none = "NONE";
        bytes memory reason = abi.encodeWithSelector(TestVenue.NoMarket.selector, none);
        vm.expectRevert(reason);
        venue.buy(none, ONE, 0);
        vm.expectRevert(reason);
        venue.sell(none, ONE, 0);
        vm.expectRevert(reason);
        venue.quoteBuy(none, ONE);
        vm.expectRevert(reason);
        venue.quoteSell(none, ONE);
        vm.expectRevert(abi.encodeWithSelector(TestVenue.NoPosition.selector));
        venue.redeem(none);
        asAdmin();
        vm.expectRevert(reason);
        venue.resolve(none, 1);
    }

    function test_a_resolved_market_pays_the_final_price_without_a_fee() public {
        venue.buy(MARKET, 100 * ONE, 0);
        uint256 units = venue.units(owner, MARKET);
        vm.expectRevert(abi.encodeWithSelector(TestVenue.NoPosition.selector));
        venue.redeem(MARKET);
        asAdmin();
        vm.expectEmit(address(venue));
        emit TestVenue.Resolved(MARKET, 1e6);
        venue.resolve(MARKET, 1e6);
        asOwner();
        (uint256 value, uint256 cost) = venue.quoteSell(MARKET, units);
        vm.assertEq(value, units);
        vm.assertEq(cost, 0);
        uint256 before = usdc.balanceOf(owner);
        vm.expectEmit(address(venue));
        emit TestVenue.Redeemed(owner, MARKET, units, units);
        vm.assertEq(venue.redeem(MARKET), units);
        vm.assertEq(usdc.balanceOf(owner), before + units);
        vm.assertEq(venue.held(owner).length, 0);
        vm.expectRevert(abi.encodeWithSelector(TestVenue.NoPosition.selector));
        venue.redeem(MARKET);
    }

    function test_a_lost_market_pays_nothing() public {
        venue.buy(MARKET, 100 * ONE, 0);
        asAdmin();
        venue.resolve(MARKET, 0);
        asOwner();
        vm.assertEq(venue.redeem(MARKET), 0);
        vm.assertEq(venue.held(owner).length, 0);
    }

    function test_a_resolved_market_is_closed_for_good() public {
        venue.buy(MARKET, 100 * ONE, 0);
        asAdmin();
        venue.resolve(MARKET, 0);
        bytes memory reason = abi.encodeWithSelector(TestVenue.MarketClosed.selector, MARKET);
        vm.expectRevert(reason);
        venue.setPrice(MARKET, 1);
        vm.expectRevert(reason);
        venue.resolve(MARKET, 1);
        asOwner();
        vm.expectRevert(reason);
        venue.buy(MARKET, ONE, 0);
        vm.expectRevert(reason);
        venue.sell(MARKET, 1, 0);
        vm.expectRevert(reason);
        venue.quoteBuy(MARKET, ONE);
    }

    function test_only_the_owner_sets_prices_and_resolves() public {
        bytes memory reason = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, owner);
        vm.expectRevert(reason);
        venue.setPrice(MARKET, 1);
        vm.expectRevert(reason);
        venue.resolve(MARKET, 1);
        asAdmin();
        vm.expectRevert(abi.encodeWithSelector(TestVenue.BadPrice.selector, 0, 1));
        venue.setPrice(MARKET, 0);
        vm.expectEmit(address(venue));
        emit TestVenue.PriceSet(MARKET, 7);
        venue.setPrice(MARKET, 7);
        (uint128 price, bool resolved) = venue.markets(MARKET);
        vm.assertEq(price, 7);
        vm.assertFalse(resolved);
    }

    function test_every_market_held_is_listed_once() public {
        asAdmin();
        venue.setPrice("ETH-UP", 1e6);
        asOwner();
        venue.buy(MARKET, ONE, 0);
        venue.buy("ETH-UP", ONE, 0);
        venue.buy(MARKET, ONE, 0);
        vm.assertEq(venue.held(owner).length, 2);
        venue.sell(MARKET, venue.units(owner, MARKET), 0);
        bytes32[] memory held = venue.held(owner);
        vm.assertEq(held.length, 1);
        vm.assertEq(held[0], bytes32("ETH-UP"));
    }

    function test_the_constants() public view {
        vm.assertEq(venue.FEE_BPS(), 10);
        vm.assertEq(venue.SPREAD_BPS(), 20);
        vm.assertEq(address(venue.usdc()), address(usdc));
    }
}
