// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMandateVault} from "../../contracts/IMandateVault.sol";
import {MandateVault} from "../../contracts/MandateVault.sol";
import {Call, Terms} from "../../contracts/MandateTerms.sol";
import {World} from "../invariant/World.sol";
import {BidVenue} from "./BidVenue.sol";

contract SellingForNothingTest is World {
    address private constant ACCOMPLICE = address(0xACC);

    BidVenue private without;
    BidVenue private with;
    MandateVault private vault;

    function setUp() public {
        without = new BidVenue(usdc, 10_000);
        with = new BidVenue(usdc, 300);
        vault = _vault();
    }

    /// Selling is not capped: where a listed venue lets the agent's accomplice name the price, every position held
    /// there can go for nothing, even after the stop line has stopped the vault. A venue with a price limit of its own
    /// bounds the loss to that limit, and buying again is bound by the daily cap.
    function test_selling_for_nothing_is_bounded_only_by_the_venues_own_price_limit() public {
        Terms memory t = terms[0];
        uint256 position = t.perTxCap;
        _execute(without, abi.encodeCall(BidVenue.buy, (position)), position);
        _execute(with, abi.encodeCall(BidVenue.buy, (position)), position);
        uint256 idle = t.budget - 2 * position;

        // Without a limit the accomplice takes the whole position for one base unit; no cap of the mandate is touched.
        _bid(without, 1);
        _execute(without, abi.encodeCall(BidVenue.sell, ()), 0);
        vm.assertEq(vault.accounted(), idle + 1, "the position went for nothing");
        vm.assertEq(without.units(ACCOMPLICE), position, "and the accomplice has it");

        // With a limit of 3 % the same bid fails, and the worst one that passes costs exactly 3 %.
        uint256 least = position * 9_700 / 10_000;
        _bid(with, least - 1);
        bytes memory tooLow = abi.encodeWithSelector(BidVenue.PriceLimit.selector, least - 1, least);
        vm.prank(t.agent);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.TargetCallFailed.selector, address(with), tooLow));
        vault.execute(address(with), abi.encodeCall(BidVenue.sell, ()), 0);
        _bid(with, least);
        _execute(with, abi.encodeCall(BidVenue.sell, ()), 0);
        vm.assertEq(vault.accounted(), idle + 1 + least, "the loss is the venue's limit");

        // What can be bought, and so lost, next is capped by the day.
        uint256 left = t.dailyCap - 2 * position;
        vm.prank(t.agent);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.OverDailyCap.selector, left + 1, left));
        vault.execute(address(without), abi.encodeCall(BidVenue.buy, (left + 1)), left + 1);
        _execute(without, abi.encodeCall(BidVenue.buy, (left)), left);

        // A mark trips the stop line. It keeps the agent for unwinding, which is selling; the owner's stop does not.
        uint256 worth = vault.accounted();
        vm.prank(ADMIN);
        factory.setKeeper(address(this));
        vault.markWorth(worth, uint64(block.timestamp));
        vm.assertEq(vault.stopReason(), 2, "stopped by the stop line");
        _bid(without, 1);
        vm.prank(t.agent);
        vault.unwind(address(without), abi.encodeCall(BidVenue.sell, ()));
        vm.assertEq(vault.accounted(), worth + 1, "the last position went for nothing too");
        vm.prank(t.owner);
        vault.stop();
        vm.prank(t.agent);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.NotAgent.selector, t.agent));
        vault.unwind(address(without), abi.encodeCall(BidVenue.sell, ()));

        uint256 lost = t.budget - vault.accounted();
        vm.assertEq(lost, position + left - 2 + (position - least), "all that was held without a limit, 3 % with one");
    }

    function _vault() private returns (MandateVault created) {
        Terms memory t = terms[0];
        t.mandateIdHash = keccak256("selling");
        t.stopLine = 900e6;
        t.calls = new Call[](4);
        t.calls[0] = Call(address(without), BidVenue.buy.selector);
        t.calls[1] = Call(address(without), BidVenue.sell.selector);
        t.calls[2] = Call(address(with), BidVenue.buy.selector);
        t.calls[3] = Call(address(with), BidVenue.sell.selector);
        vm.prank(t.owner);
        created = MandateVault(factory.createVault(t));
        vm.prank(t.owner);
        usdc.approve(address(created), t.budget);
        vm.prank(t.owner);
        created.deposit(t.budget);
    }

    function _bid(BidVenue where, uint256 amount) private {
        _mint(ACCOMPLICE, amount);
        vm.prank(ACCOMPLICE);
        usdc.approve(address(where), amount);
        vm.prank(ACCOMPLICE);
        where.placeBid(amount);
    }

    function _execute(BidVenue where, bytes memory data, uint256 approve) private {
        vm.prank(terms[0].agent);
        vault.execute(address(where), data, approve);
    }
}
