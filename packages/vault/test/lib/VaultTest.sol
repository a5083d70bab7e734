// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {MandateVault} from "../../contracts/MandateVault.sol";
import {MandateVaultFactory} from "../../contracts/MandateVaultFactory.sol";
import {MandateVaultFactoryV2} from "../../contracts/MandateVaultFactoryV2.sol";
import {MandateVaultV2} from "../../contracts/MandateVaultV2.sol";
import {Call, Terms} from "../../contracts/MandateTerms.sol";
import {TestLegGateway} from "../../contracts/TestLegGateway.sol";
import {TestUSDC} from "../../contracts/TestUSDC.sol";
import {TestVenue} from "../../contracts/TestVenue.sol";
import {Target} from "../mocks/Target.sol";
import {T} from "./T.sol";

/// @dev A deployment with both factories, a funded venue, a programmable target, and terms that list both.
abstract contract VaultTest is T {
    uint256 internal constant ONE = 1e6;
    uint64 internal constant START = 1_800_000_000; // 08:00 UTC
    uint64 internal constant TERM = 30 days;
    bytes32 internal constant MARKET = "BTC-UP";

    address internal admin = vm.addr(1);
    address internal keeper = vm.addr(2);
    address internal operator = vm.addr(3);
    address internal owner = vm.addr(4);
    address internal agent = vm.addr(5);
    address internal feeRecipient = vm.addr(6);
    address internal stranger = vm.addr(7);

    TestUSDC internal usdc;
    TestVenue internal venue;
    Target internal target;
    TestLegGateway internal gateway;
    MandateVaultFactory internal factory;
    MandateVaultFactoryV2 internal factoryV2;
    MandateVault internal vault;
    MandateVaultV2 internal vaultV2;

    function setUp() public virtual {
        vm.warp(START);
        usdc = new TestUSDC(admin);
        venue = new TestVenue(IERC20(address(usdc)), admin);
        target = new Target(IERC20(address(usdc)));
        gateway = new TestLegGateway(IERC20(address(usdc)), operator, admin);
        factory = new MandateVaultFactory(address(usdc), address(new MandateVault()), keeper, admin);
        factoryV2 =
            new MandateVaultFactoryV2(address(usdc), address(new MandateVaultV2()), keeper, admin, address(gateway));
        vm.startPrank(admin);
        gateway.bindFactory(address(factoryV2));
        venue.setPrice(MARKET, 0.5e6);
        usdc.mint(address(venue), 1_000_000 * ONE);
        usdc.mint(address(target), 1_000_000 * ONE);
        vm.stopPrank();

        vault = create(terms());
        vaultV2 = createV2(termsV2());
    }

    // ---- Terms: budget 1,000, 100 a call, 250 a day, stop line 400, fee 10 %

    function terms() internal view returns (Terms memory t) {
        t.owner = owner;
        t.agent = agent;
        t.feeRecipient = feeRecipient;
        t.usdc = address(usdc);
        t.budget = uint128(1_000 * ONE);
        t.perTxCap = uint128(100 * ONE);
        t.dailyCap = uint128(250 * ONE);
        t.approvalAbove = uint128(50 * ONE);
        t.stopLine = uint128(400 * ONE);
        t.endsAt = START + TERM;
        t.feeBps = 1_000;
        t.mandateIdHash = keccak256("mnd_1");
        t.clausesHash = keccak256("clauses");
        t.calls = new Call[](4);
        t.calls[0] = Call(address(venue), venue.buy.selector);
        t.calls[1] = Call(address(venue), venue.sell.selector);
        t.calls[2] = Call(address(venue), venue.redeem.selector);
        t.calls[3] = Call(address(target), target.run.selector);
    }

    function termsV2() internal view returns (Terms memory t) {
        t = terms();
        t.legGateway = address(gateway);
        t.legBudget = uint128(300 * ONE);
    }

    function create(Terms memory t) internal returns (MandateVault) {
        vm.prank(t.owner);
        return MandateVault(factory.createVault(t));
    }

    function createV2(Terms memory t) internal returns (MandateVaultV2) {
        vm.prank(t.owner);
        return MandateVaultV2(factoryV2.createVault(t));
    }

    // ---- Steps

    function give(address to, uint256 amount) internal {
        vm.prank(admin);
        usdc.mint(to, amount);
    }

    function deposit(MandateVault v, uint256 amount) internal {
        give(owner, amount);
        vm.startPrank(owner);
        usdc.approve(address(v), amount);
        v.deposit(amount);
        vm.stopPrank();
    }

    function execute(MandateVault v, bytes memory data, uint256 approve) internal {
        vm.prank(agent);
        v.execute(address(target), data, approve);
    }

    /// @dev The target keeps `amount`.
    function spend(MandateVault v, uint256 amount) internal {
        execute(v, abi.encodeCall(target.run, (amount, 0)), amount);
    }

    /// @dev The target pays `amount`.
    function earn(MandateVault v, uint256 amount) internal {
        execute(v, abi.encodeCall(target.run, (0, amount)), 0);
    }

    function buy(MandateVault v, uint256 amount) internal {
        vm.prank(agent);
        v.execute(address(venue), abi.encodeCall(venue.buy, (MARKET, amount, 0)), amount);
    }

    /// @dev After the close, the target pays `amount`.
    function unwindFor(MandateVault v, uint256 amount) internal {
        vm.prank(owner);
        v.unwind(address(target), abi.encodeCall(target.run, (0, amount)));
    }

    function stop(MandateVault v) internal {
        vm.prank(owner);
        v.stop();
    }

    function withdraw(MandateVault v) internal returns (uint256) {
        vm.prank(owner);
        return v.withdrawAll();
    }

    function mark(MandateVault v, uint256 worth) internal {
        vm.prank(keeper);
        v.markWorth(worth, uint64(block.timestamp));
    }

    function settleByKeeper(MandateVault v) internal {
        vm.prank(keeper);
        v.settle();
    }

    // ---- Checks

    function assertBooks(MandateVault v) internal view {
        vm.assertGe(usdc.balanceOf(address(v)), uint256(v.accounted()) + v.feeOwed(), "books above balance");
        vm.assertLe(v.principal(), v.terms().budget, "principal above budget");
    }

    function assertNoAllowance(MandateVault v, address spender) internal view {
        vm.assertEq(usdc.allowance(address(v), spender), 0, "allowance left");
    }
}
