// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMandateVault} from "../../contracts/IMandateVault.sol";
import {MandateVault} from "../../contracts/MandateVault.sol";
import {Terms} from "../../contracts/MandateTerms.sol";
import {Ending, HostileTarget, Play} from "../invariant/HostileTarget.sol";
import {World} from "../invariant/World.sol";

contract HostileAgentTest is World {
    MandateVault private vault;

    function setUp() public {
        vault = vaults[0];
    }

    /// The agent and a listed target work together against the owner. What they can take: the per-transaction cap in
    /// one call, the daily cap in one UTC day, twice the daily cap around one midnight, and nothing once the owner
    /// stops.
    function test_a_hostile_agent_with_a_hostile_target_takes_the_daily_cap_and_no_more() public {
        Terms memory t = terms[0];
        vm.prank(t.owner);
        vault.deposit(t.budget);

        // Minutes before midnight it goes straight for everything, then for one unit above the cap.
        uint256 midnight = (block.timestamp / 1 days + 1) * 1 days;
        vm.warp(midnight - 5 minutes);
        _refused(t.budget, abi.encodeWithSelector(IMandateVault.OverPerTxCap.selector, t.budget, t.perTxCap));
        _refused(
            t.perTxCap + 1, abi.encodeWithSelector(IMandateVault.OverPerTxCap.selector, t.perTxCap + 1, t.perTxCap)
        );
        // A target that pulls more than it was approved fails as a whole.
        _fails(_take(t.perTxCap + 1), t.perTxCap);

        _steal(t.perTxCap);
        _steal(t.perTxCap);
        vm.assertEq(usdc.allowance(address(vault), address(hostile)), 0, "nothing stays approved");

        // Pulling money and giving it back at once buys no second turn: the gross amount counts.
        Play memory wash = _take(50e6);
        wash.give = 50e6;
        _execute(wash, 50e6);
        uint256 left = t.dailyCap - 2 * t.perTxCap - 50e6;
        _refused(left + 1, abi.encodeWithSelector(IMandateVault.OverDailyCap.selector, left + 1, left));

        _triesOtherWays(t);

        _steal(left);
        vm.assertEq(_lost(), t.dailyCap - 50e6, "day one cost the daily cap, less what the wash gave back");

        // At midnight the cap is whole again: the known bound of twice the cap within 24 hours.
        vm.warp(midnight);
        _steal(t.perTxCap);
        _steal(t.perTxCap);
        _steal(t.dailyCap - 2 * t.perTxCap);
        _refused(1, abi.encodeWithSelector(IMandateVault.OverDailyCap.selector, 1, 0));
        uint256 lost = _lost();
        vm.assertEq(lost, 2 * t.dailyCap - 50e6, "two days' caps in five minutes, the bound that clause 3 states");
        vm.assertEq(vault.accounted(), t.budget - lost, "the ledger says the same");

        // The owner stops: the agent gets its refusal, the owner the rest, and no fee is due on a loss.
        vm.prank(t.owner);
        vault.stop();
        _refused(1, abi.encodeWithSelector(IMandateVault.MandateStopped.selector, 1));
        vm.prank(t.owner);
        vm.assertEq(vault.withdrawAll(), t.budget - lost, "the owner takes what is left");
        vm.assertEq(vault.feeTotal(), 0, "a loss pays no fee");
    }

    /// None of these moves a unit: calling back, forging a refusal, a huge answer, the token itself.
    function _triesOtherWays(Terms memory t) private {
        uint256 lost = _lost();
        Play memory p;
        (p.wallet, p.to) = (agents[0], address(vault));
        p.inner = abi.encodeCall(
            MandateVault.execute, (address(hostile), abi.encodeCall(HostileTarget.play, (_take(10e6))), 10e6)
        );
        _execute(p, 0);
        vm.assertEq(hostile.reentered(), 0, "the guard holds against the agent's own key");

        Play memory lie;
        lie.ending = Ending.FakeRefusal;
        bytes memory forged = abi.encodeWithSelector(HostileTarget.OverDailyCap.selector, 1, 2);
        vm.prank(t.agent);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.TargetCallFailed.selector, address(hostile), forged));
        vault.execute(address(hostile), abi.encodeCall(HostileTarget.play, (lie)), 0);
        lie.ending = Ending.HugeRevert;
        _fails(lie, 0);

        vm.prank(t.agent);
        vm.expectRevert(
            abi.encodeWithSelector(IMandateVault.TargetNotAllowed.selector, address(usdc), usdc.transfer.selector)
        );
        vault.execute(address(usdc), abi.encodeCall(usdc.transfer, (t.agent, t.perTxCap)), 0);
        vm.assertEq(_lost(), lost, "nothing was lost on the way");
    }

    function _lost() private view returns (uint256) {
        return terms[0].budget - usdc.balanceOf(address(vault));
    }

    function _take(uint256 amount) private pure returns (Play memory p) {
        p.take = amount;
    }

    function _steal(uint256 amount) private {
        _execute(_take(amount), amount);
    }

    function _execute(Play memory p, uint256 approve) private {
        vm.prank(terms[0].agent);
        vault.execute(address(hostile), abi.encodeCall(HostileTarget.play, (p)), approve);
    }

    function _refused(uint256 amount, bytes memory reason) private {
        vm.prank(terms[0].agent);
        vm.expectRevert(reason);
        vault.execute(address(hostile), abi.encodeCall(HostileTarget.play, (_take(amount))), amount);
    }

    /// The target's call fails, whatever it says, and moves nothing.
    function _fails(Play memory p, uint256 approve) private {
        uint256 lost = _lost();
        bytes memory play = abi.encodeCall(HostileTarget.play, (p));
        bytes memory data = abi.encodeCall(MandateVault.execute, (address(hostile), play, approve));
        vm.prank(terms[0].agent);
        (bool ok, bytes memory answer) = address(vault).call(data);
        vm.assertTrue(!ok && bytes4(answer) == IMandateVault.TargetCallFailed.selector, "it fails as the target's");
        vm.assertLe(answer.length, 500, "with its reason cut short");
        vm.assertEq(_lost(), lost, "and moves nothing");
    }
}
