// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IMandateVault} from "../../contracts/IMandateVault.sol";
import {MandateVault} from "../../contracts/MandateVault.sol";
import {MandateVaultFactory} from "../../contracts/MandateVaultFactory.sol";
import {Call, Terms} from "../../contracts/MandateTerms.sol";
import {HostileTarget, Play} from "../invariant/HostileTarget.sol";
import {Wallet} from "../invariant/Wallet.sol";
import {T} from "../lib/T.sol";
import {HostileToken} from "./HostileToken.sol";

contract HostileTokenTest is T {
    address private constant FEE_RECIPIENT = address(0xFEE);
    address private constant AGENT = address(0xA6E27);

    HostileToken private token;
    HostileTarget private target;
    MandateVaultFactory private factory;
    Wallet private owner;
    MandateVault private vault;
    MandateVault private neighbour;

    function setUp() public {
        vm.warp(20_000 days);
        token = new HostileToken();
        target = new HostileTarget(token);
        owner = new Wallet();
        factory = new MandateVaultFactory(address(token), address(new MandateVault()), address(0xEE), address(0xAD));
        vault = _create(owner, "one");
        Wallet other = new Wallet();
        neighbour = _create(other, "two");
        other.run(address(neighbour), abi.encodeCall(MandateVault.deposit, (500e6)));
        token.mint(address(target), 1_000e6);
    }

    /// Whatever the token does, the ledger promises no more than the vault holds, a failed payment changes nothing,
    /// no callback gets in, and no neighbour pays. What can be lost is what the token itself keeps of a transfer.
    function test_a_hostile_token_costs_what_it_keeps_itself() public {
        // It keeps 1 % of a transfer: the deposit is credited as measured, not as asked.
        token.setFee(100);
        _owner(abi.encodeCall(MandateVault.deposit, (500e6)));
        vm.assertEq(vault.principal(), 495e6, "credited as it arrived");
        vm.assertEq(vault.accounted(), 495e6, "and no more");
        token.setFee(0);

        // It burns more from the vault than the target pulled: the call is undone.
        token.setOvercharge(1);
        vm.prank(AGENT);
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.SpendMismatch.selector, 100e6, 100e6 + 1));
        vault.execute(address(target), _play(100e6, 0), 100e6);
        token.setOvercharge(0);

        // A profit of 100, of which a tenth is the fee; then the mandate stops.
        vm.prank(AGENT);
        vault.execute(address(target), _play(100e6, 200e6), 100e6);
        _owner(abi.encodeCall(MandateVault.stop, ()));

        // It answers false: the withdrawal fails as a whole, and can be made later.
        token.setAnswersFalse(true);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token)));
        owner.run(address(vault), abi.encodeCall(MandateVault.withdrawAll, ()));
        vm.assertEq(vault.accounted(), 595e6, "nothing was written off");
        vm.assertEq(vault.feeTotal(), 0, "no fee was taken");
        token.setAnswersFalse(false);

        // It blocks the fee's recipient and calls the owner's wallet back in the middle of every payment.
        token.setBlocked(FEE_RECIPIENT, true);
        token.setCallback(owner, address(vault), abi.encodeCall(MandateVault.withdrawAll, ()));
        _owner(abi.encodeCall(MandateVault.withdrawAll, ()));
        vm.assertEq(token.callbacks(), 1, "the token called back");
        vm.assertEq(token.callbacksThatWentThrough(), 0, "and was refused");
        vm.assertEq(token.balanceOf(address(owner)), 500e6 + 585e6, "the owner has all but the fee");
        vm.expectRevert(abi.encodeWithSelector(HostileToken.Blocked.selector, FEE_RECIPIENT));
        vault.claimFee();
        vm.assertEq(vault.feeOwed(), 10e6, "the fee waits for its recipient");

        // The neighbour with the same token has what it had.
        vm.assertEq(token.balanceOf(address(neighbour)), 500e6, "no neighbour paid");
        vm.assertEq(neighbour.accounted(), 500e6, "nor was its ledger touched");
    }

    /// A worthless token is sent to a vault of honest money; rescuing it lets it call back, lie and fail.
    function test_rescuing_a_hostile_token_moves_none_of_the_vaults_money() public {
        _owner(abi.encodeCall(MandateVault.deposit, (500e6)));
        HostileToken junk = new HostileToken();
        junk.mint(address(vault), 7e18);
        _owner(abi.encodeCall(MandateVault.stop, ()));
        vm.expectRevert(abi.encodeWithSelector(IMandateVault.BadToken.selector, address(token)));
        owner.run(address(vault), abi.encodeCall(MandateVault.rescue, (address(token))));

        junk.setCallback(owner, address(vault), abi.encodeCall(MandateVault.withdrawAll, ()));
        _owner(abi.encodeCall(MandateVault.rescue, (address(junk))));
        vm.assertEq(junk.callbacksThatWentThrough(), 0, "no call back into the vault");
        vm.assertEq(junk.balanceOf(address(owner)), 7e18, "the owner has the junk");
        vm.assertEq(token.balanceOf(address(vault)), 500e6, "and the vault its money");
        vm.assertEq(vault.accounted(), 500e6, "as the ledger says");
    }

    function _create(Wallet owner_, string memory name) private returns (MandateVault created) {
        Terms memory t;
        t.owner = address(owner_);
        t.agent = AGENT;
        t.feeRecipient = FEE_RECIPIENT;
        t.usdc = address(token);
        (t.budget, t.perTxCap, t.dailyCap) = (1_000e6, 200e6, 500e6);
        t.endsAt = uint64(block.timestamp + 30 days);
        t.feeBps = 1_000;
        t.mandateIdHash = keccak256(bytes(name));
        t.calls = new Call[](1);
        t.calls[0] = Call(address(target), HostileTarget.play.selector);
        vm.prank(address(owner_));
        created = MandateVault(factory.createVault(t));
        token.mint(address(owner_), 1_000e6);
        owner_.run(address(token), abi.encodeCall(token.approve, (address(created), 1_000e6)));
    }

    function _owner(bytes memory data) private {
        owner.run(address(vault), data);
    }

    function _play(uint256 take, uint256 give) private pure returns (bytes memory) {
        Play memory p;
        (p.take, p.give) = (take, give);
        return abi.encodeCall(HostileTarget.play, (p));
    }
}
