// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMandateVault} from "../../contracts/IMandateVault.sol";
import {MandateVault} from "../../contracts/MandateVault.sol";
import {Call, Terms} from "../../contracts/MandateTerms.sol";
import {Ending, HostileTarget, Play} from "../invariant/HostileTarget.sol";
import {Wallet} from "../invariant/Wallet.sol";
import {World} from "../invariant/World.sol";
import {BidVenue} from "./BidVenue.sol";

contract HostileAgentTest is World {
    address private constant ACCOMPLICE = address(0xACC);

    /// The agent and a listed target work together against the owner. What they can take: the per-transaction cap in
    /// one call, the daily cap in one UTC day, twice the daily cap around one midnight, and nothing once the owner stops.
    function test_a_hostile_agent_with_a_hostile_target_takes_the_daily_cap_and_no_more() public {
        MandateVault vault = vaults[0];
        Terms memory t = terms[0];
        vm.prank(t.owner);
        vault.deposit(t.budget);

        // Minutes before midnight it goes straight for everything, then for one unit above each limit.
        vm.warp((block.timestamp / 1 days + 1) * 1 days - 5 minutes);
        _refused(
            vault,
            _take(t.budget),
            t.budget,
            abi.encodeWithSelector(IMandateVault.OverPerTxCap.selector, t.budget, t.perTxCap)
        );
        _refused(
            vault,
            _take(t.perTxCap + 1),
            t.perTxCap + 1,
            abi.encodeWithSelector(IMandateVault.OverPerTxCap.selector, t.perTxCap + 1, t.perTxCap)
        );
        // A target that pulls more than it was approved fails as a whole.
        _fails(vault, _take(t.perTxCap + 1), t.perTxCap);

        _steal(vault, t.perTxCap);
        _steal(vault, t.perTxCap);
        vm.assertEq(usdc.allowance(address(vault), address(hostile)), 0, "nothing stays approved");

        // Pulling money and giving it back at once buys no second turn: the gross amount counts.
        Play memory wash = _take(50e6);
        wash.give = 50e6;
        _execute(vault, wash, 50e6);
        uint256 left = t.dailyCap - 2 * t.perTxCap - 50e6;
        _refused(
            vault,
            _take(left + 1),
            left + 1,
            abi.encodeWithSelector(IMandateVault.OverDailyCap.selector, left + 1, left)
        );

        // Calling back into the vault from inside the target, with the agent's own key.
        Play memory back = _take(0);
        (back.wallet, back.to) = (agents[0], address(vault));
        back.inner = abi.encodeCall(
            MandateVault.execute, (address(hostile), abi.encodeCall(HostileTarget.play, (_take(10e6))), 10e6)
        );
        _execute(vault, back, 0);
        vm.assertEq(hostile.reentered(), 0, "the guard holds");
        // A forged refusal arrives wrapped, a megabyte of revert data cut short.
        Play memory lie = _take(0);
        lie.ending = Ending.FakeRefusal;
        _refused(
            vault,
            lie,
            0,
            abi.encodeWithSelector(
                IMandateVault.TargetCallFailed.selector,
                address(hostile),
                abi.encodeWithSelector(HostileTarget.OverDailyCap.selector, 1, 2)
            )
        );
        lie.ending = Ending.HugeRevert;
        _fails(vault, lie, 0);

        // Around the token it finds no way either: no such call is listed.
        bytes memory grab = abi.encodeCall(usdc.transfer, (ACCOMPLICE, t.perTxCap));
        vm.prank(t.agent);
        vm.expectRevert(
            abi.encodeWithSelector(IMandateVault.TargetNotAllowed.selector, address(usdc), usdc.transfer.selector)
        );
        vault.execute(address(usdc), grab, 0);

        _steal(vault, left);
        uint256 before = t.budget - usdc.balanceOf(address(vault));
        vm.assertEq(before, t.dailyCap - 50e6, "day one cost the daily cap, less what the wash trade gave back");

        // One second after midnight the cap is whole again: the known bound of twice the cap within 24 hours.
        vm.warp((block.timestamp / 1 days + 1) * 1 days);
        _steal(vault, t.perTxCap);
        _steal(vault, t.perTxCap);
        _steal(vault, t.dailyCap - 2 * t.perTxCap);
        uint256 lost = t.budget - usdc.balanceOf(address(vault));
        vm.assertEq(lost, 2 * t.dailyCap - 50e6, "two days' caps in five minutes, the bound that clause 3 states");
        vm.assertEq(vault.accounted(), t.budget - lost, "the ledger says the same");

        // The owner stops: the agent gets its refusal, the owner the rest, and no fee is due on a loss.
        vm.prank(t.owner);
        vault.stop();
        _refused(vault, _take(1), 1, abi.encodeWithSelector(IMandateVault.MandateStopped.selector, 1));
        vm.prank(t.owner);
        vm.assertEq(vault.withdrawAll(), t.budget - lost, "the owner takes what is left");
        vm.assertEq(vault.feeTotal(), 0, "a loss pays no fee");
    }

    /// Selling is not capped: where a listed venue lets the agent's accomplice name the price, every position the
    /// vault holds there can go for nothing. A venue with a price limit of its own bounds the loss to that limit.
    function test_selling_for_nothing_is_bounded_only_by_the_venues_own_price_limit() public {
        BidVenue without = new BidVenue(usdc, 10_000);
        BidVenue with = new BidVenue(usdc, 300);
        MandateVault vault = _vaultAt(without, with);
        uint256 position = terms[0].perTxCap;
        _run(vault, address(without), abi.encodeCall(BidVenue.buy, (position)), position);
        _run(vault, address(with), abi.encodeCall(BidVenue.buy, (position)), position);
        uint256 idle = usdc.balanceOf(address(vault));

        // Without a limit the accomplice takes the whole position for one base unit; no cap of the mandate is touched.
        _bid(without, 1);
        _run(vault, address(without), abi.encodeCall(BidVenue.sell, ()), 0);
        vm.assertEq(usdc.balanceOf(address(vault)), idle + 1, "the position went for nothing");
        vm.assertEq(without.units(ACCOMPLICE), position, "and the accomplice has it");

        // With a limit of 3 % the same bid fails, the worst one that passes costs exactly 3 %.
        uint256 least = position * 9_700 / 10_000;
        _bid(with, least - 1);
        vm.prank(terms[0].agent);
        vm.expectRevert(
            abi.encodeWithSelector(
                IMandateVault.TargetCallFailed.selector,
                address(with),
                abi.encodeWithSelector(BidVenue.PriceLimit.selector, least - 1, least)
            )
        );
        vault.execute(address(with), abi.encodeCall(BidVenue.sell, ()), 0);
        _bid(with, least);
        _run(vault, address(with), abi.encodeCall(BidVenue.sell, ()), 0);
        vm.assertEq(usdc.balanceOf(address(vault)), idle + 1 + least, "the loss is the venue's limit");

        // What buying could lose next is capped again by the day.
        uint256 left = terms[0].dailyCap - 2 * position;
        vm.prank(terms[0].agent);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.OverDailyCap.selector, left + 1, left));
        vault.execute(address(without), abi.encodeCall(BidVenue.buy, (left + 1)), left + 1);
    }

    function _vaultAt(BidVenue a, BidVenue b) private returns (MandateVault vault) {
        Terms memory t = terms[0];
        t.mandateIdHash = keccak256("selling");
        t.calls = new Call[](4);
        t.calls[0] = Call(address(a), BidVenue.buy.selector);
        t.calls[1] = Call(address(a), BidVenue.sell.selector);
        t.calls[2] = Call(address(b), BidVenue.buy.selector);
        t.calls[3] = Call(address(b), BidVenue.sell.selector);
        vm.prank(t.owner);
        vault = MandateVault(factory.createVault(t));
        vm.prank(t.owner);
        usdc.approve(address(vault), t.budget);
        vm.prank(t.owner);
        vault.deposit(t.budget);
    }

    function _bid(BidVenue where, uint256 amount) private {
        _mint(ACCOMPLICE, amount);
        vm.prank(ACCOMPLICE);
        usdc.approve(address(where), amount);
        vm.prank(ACCOMPLICE);
        where.placeBid(amount);
    }

    function _take(uint256 amount) private pure returns (Play memory p) {
        p.take = amount;
    }

    function _run(MandateVault vault, address target, bytes memory data, uint256 approve) private {
        vm.prank(terms[0].agent);
        vault.execute(target, data, approve);
    }

    function _execute(MandateVault vault, Play memory p, uint256 approve) private {
        _run(vault, address(hostile), abi.encodeCall(HostileTarget.play, (p)), approve);
    }

    function _steal(MandateVault vault, uint256 amount) private {
        _execute(vault, _take(amount), amount);
    }

    function _refused(MandateVault vault, Play memory p, uint256 approve, bytes memory reason) private {
        vm.prank(terms[0].agent);
        vm.expectRevert(reason);
        vault.execute(address(hostile), abi.encodeCall(HostileTarget.play, (p)), approve);
    }

    /// The target's call fails, whatever it says, and moves nothing.
    function _fails(MandateVault vault, Play memory p, uint256 approve) private {
        uint256 balance = usdc.balanceOf(address(vault));
        vm.prank(terms[0].agent);
        (bool ok, bytes memory answer) = address(vault)
            .call(
                abi.encodeCall(
                    MandateVault.execute, (address(hostile), abi.encodeCall(HostileTarget.play, (p)), approve)
                )
            );
        vm.assertTrue(
            !ok && bytes4(answer) == IMandateVault.TargetCallFailed.selector, "the call fails as the target's"
        );
        vm.assertLe(answer.length, 500, "with its reason cut short");
        vm.assertEq(usdc.balanceOf(address(vault)), balance, "and moves nothing");
    }
}
