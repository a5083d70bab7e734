// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IMandateVault} from "../contracts/IMandateVault.sol";
import {MandateVaultV2} from "../contracts/MandateVaultV2.sol";
import {Call, Terms} from "../contracts/MandateTerms.sol";
import {VaultTest} from "./lib/VaultTest.sol";
import {FailingTarget, ReentrantTarget} from "./mocks/BadTargets.sol";

contract FailingTargetTest is VaultTest {
    FailingTarget private bad;

    function setUp() public override {
        super.setUp();
        bad = new FailingTarget();
        Terms memory t = terms();
        t.mandateIdHash = keccak256("failing");
        t.calls = new Call[](5);
        t.calls[0] = Call(address(bad), bad.fail.selector);
        t.calls[1] = Call(address(bad), bad.failWith.selector);
        t.calls[2] = Call(address(bad), bad.answerWith.selector);
        t.calls[3] = Call(address(bad), bad.burnGas.selector);
        t.calls[4] = Call(address(bad), bad.forge.selector);
        vault = create(t);
        deposit(vault, 500 * ONE);
    }

    function failed(bytes memory data, bytes memory reason) private {
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.TargetCallFailed.selector, address(bad), reason));
        vault.execute(address(bad), data, 10 * ONE);
        assertNoAllowance(vault, address(bad));
        (, uint256 used,) = vault.usage();
        vm.assertEq(used, 0);
    }

    function test_a_target_cannot_pass_for_a_refusal_of_the_vault() public {
        failed(abi.encodeCall(bad.forge, (3)), abi.encodeWithSelector(IMandateVault.MandateStopped.selector, 3));
        bytes memory forged = abi.encodeWithSelector(IMandateVault.OverDailyCap.selector, 1, 0);
        failed(abi.encodeCall(bad.fail, (forged)), forged);
    }

    function test_a_target_cannot_pass_for_a_refusal_while_unwinding() public {
        stop(vault);
        bytes memory forged = abi.encodeWithSelector(IMandateVault.MandateEnded.selector, START);
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.TargetCallFailed.selector, address(bad), forged));
        vault.unwind(address(bad), abi.encodeCall(bad.fail, (forged)));
    }

    function test_a_failure_without_words_has_an_empty_reason() public {
        failed(abi.encodeCall(bad.fail, ("")), "");
        failed(abi.encodeCall(bad.burnGas, ()), "");
    }

    function testFuzz_a_reason_is_cut_to_256_bytes(bytes memory reason) public {
        bytes memory cut = new bytes(reason.length > 256 ? 256 : reason.length);
        for (uint256 i = 0; i < cut.length; ++i) {
            cut[i] = reason[i];
        }
        failed(abi.encodeCall(bad.fail, (reason)), cut);
    }

    function test_reasons_around_the_cut() public {
        failed(abi.encodeCall(bad.failWith, (255)), new bytes(255));
        failed(abi.encodeCall(bad.failWith, (256)), new bytes(256));
        failed(abi.encodeCall(bad.failWith, (257)), new bytes(256));
    }

    /// @dev A megabyte costs the target two million gas to make. Copying it would cost the vault as much again.
    function test_a_return_bomb_costs_only_its_maker() public {
        uint256 gasBefore = gasleft();
        failed(abi.encodeCall(bad.failWith, (1_000_000)), new bytes(256));
        vm.assertLe(gasBefore - gasleft(), 2_400_000);

        gasBefore = gasleft();
        vm.prank(agent);
        vault.execute(address(bad), abi.encodeCall(bad.answerWith, (1_000_000)), 10 * ONE);
        vm.assertLe(gasBefore - gasleft(), 2_400_000);
    }
}

contract ReentrancyTest is VaultTest {
    ReentrantTarget private bad;

    function setUp() public override {
        super.setUp();
        bad = new ReentrantTarget();
        give(address(bad), 1_000 * ONE);
    }

    function vaultOf(address owner_, address agent_) private returns (MandateVaultV2 v) {
        Terms memory t = termsV2();
        t.mandateIdHash = keccak256("reentrant");
        t.owner = owner_;
        t.agent = agent_;
        t.calls = new Call[](2);
        t.calls[0] = Call(address(bad), bad.run.selector);
        t.calls[1] = Call(address(bad), bad.runOrFail.selector);
        v = createV2(t);
        give(owner_, 500 * ONE);
        vm.startPrank(owner_);
        usdc.approve(address(v), 500 * ONE);
        v.deposit(500 * ONE);
        vm.stopPrank();
    }

    function attempts(MandateVaultV2 v) private view returns (bytes[] memory data) {
        data = new bytes[](13);
        data[0] = abi.encodeCall(v.execute, (address(bad), abi.encodeCall(bad.run, (address(0), "")), 0));
        data[1] = abi.encodeCall(v.unwind, (address(bad), abi.encodeCall(bad.run, (address(0), ""))));
        data[2] = abi.encodeCall(v.deposit, (1));
        data[3] = abi.encodeCall(v.stop, ());
        data[4] = abi.encodeCall(v.revokeAgent, ());
        data[5] = abi.encodeCall(v.setAgent, (agent));
        data[6] = abi.encodeCall(v.withdrawAll, ());
        data[7] = abi.encodeCall(v.markWorth, (500 * ONE, START));
        data[8] = abi.encodeCall(v.settle, ());
        data[9] = abi.encodeCall(v.claimFee, ());
        data[10] = abi.encodeCall(v.rescue, (address(target)));
        data[11] = abi.encodeCall(v.fundLeg, (1));
        data[12] = abi.encodeCall(v.onLegReturn, (0, true));
    }

    function guarded(MandateVaultV2 v, address caller, bool unwinding) private {
        bytes[] memory data = attempts(v);
        for (uint256 i = 0; i < data.length; ++i) {
            bytes memory inner = abi.encodeCall(bad.run, (address(v), data[i]));
            vm.prank(caller);
            if (unwinding) v.unwind(address(bad), inner);
            else v.execute(address(bad), inner, 0);
            vm.assertFalse(bad.succeeded(), vm.toString(i));
            vm.assertEq(
                bad.answer(),
                abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector),
                vm.toString(i)
            );
        }
    }

    function test_no_function_can_be_entered_while_executing() public {
        guarded(vaultOf(owner, agent), agent, false);
    }

    function test_no_function_can_be_entered_while_unwinding() public {
        MandateVaultV2 v = vaultOf(owner, agent);
        stop(v);
        guarded(v, owner, true);
    }

    function test_a_refused_reentry_that_is_passed_on_is_wrapped() public {
        MandateVaultV2 v = vaultOf(owner, agent);
        bytes memory reentry = abi.encodeCall(v.claimFee, ());
        vm.prank(agent);
        vm.expectRevert(
            abi.encodeWithSelector(
                IMandateVault.TargetCallFailed.selector,
                address(bad),
                abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
            )
        );
        v.execute(address(bad), abi.encodeCall(bad.runOrFail, (address(v), reentry)), 0);
    }

    function test_the_guard_ends_with_the_call() public {
        MandateVaultV2 v = vaultOf(owner, agent);
        bytes memory nothing = abi.encodeCall(bad.run, (address(0), ""));
        vm.startPrank(agent);
        v.execute(address(bad), nothing, 0);
        v.execute(address(bad), nothing, 0);
        vm.stopPrank();
    }
}
