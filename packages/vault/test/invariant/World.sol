// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateVault} from "../../contracts/MandateVault.sol";
import {MandateVaultV2} from "../../contracts/MandateVaultV2.sol";
import {MandateVaultFactory} from "../../contracts/MandateVaultFactory.sol";
import {MandateVaultFactoryV2} from "../../contracts/MandateVaultFactoryV2.sol";
import {TestLegGateway} from "../../contracts/TestLegGateway.sol";
import {TestUSDC} from "../../contracts/TestUSDC.sol";
import {TestVenue} from "../../contracts/TestVenue.sol";
import {Call, Terms} from "../../contracts/MandateTerms.sol";
import {T} from "../lib/T.sol";
import {HostileTarget} from "./HostileTarget.sol";
import {Wallet} from "./Wallet.sol";

/// Two v1 and two v2 vaults of four owners, with a venue, a hostile target and one shared leg gateway.
abstract contract World is T {
    uint256 internal constant VAULTS = 4;
    uint256 internal constant GRACE = 1 days;
    bytes32 internal constant MARKET = "RAIN";

    address internal constant ADMIN = address(0xAD);
    address internal constant OPERATOR = address(0x0B);
    address internal keeper = address(0xEE);

    TestUSDC internal usdc;
    TestVenue internal venue;
    TestLegGateway internal gateway;
    HostileTarget internal hostile;
    MandateVaultFactory internal factory;
    MandateVaultFactoryV2 internal factoryV2;

    MandateVaultV2[VAULTS] internal vaults;
    Wallet[VAULTS] internal agents;
    Terms[VAULTS] internal terms;

    constructor() {
        vm.warp(20_000 days + 13 hours);
        usdc = new TestUSDC(ADMIN);
        venue = new TestVenue(usdc, ADMIN);
        gateway = new TestLegGateway(usdc, OPERATOR, ADMIN);
        factory = new MandateVaultFactory(address(usdc), address(new MandateVault()), keeper, ADMIN);
        factoryV2 =
            new MandateVaultFactoryV2(address(usdc), address(new MandateVaultV2()), keeper, ADMIN, address(gateway));
        vm.prank(ADMIN);
        gateway.bindFactory(address(factoryV2));
        hostile = new HostileTarget(usdc);
        vm.prank(ADMIN);
        venue.setPrice(MARKET, 0.5e6);
        _mint(address(venue), 1e13);
        _mint(address(hostile), 1e13);
        _mint(OPERATOR, 1e13);
        for (uint256 i = 0; i < VAULTS; i++) {
            _create(i);
        }
    }

    /// Vaults 0 and 1 are v1, 2 and 3 are v2; 0 and 2 have a stop line; 3 takes half of the profit as its fee.
    function _create(uint256 i) private {
        agents[i] = new Wallet();
        Terms storage t = terms[i];
        t.owner = address(uint160(0x1000 + i));
        t.agent = address(agents[i]);
        t.feeRecipient = address(uint160(0x3000 + i));
        t.usdc = address(usdc);
        t.budget = 1_000e6;
        t.perTxCap = 200e6;
        t.dailyCap = i % 2 == 0 ? 500e6 : 250e6;
        t.approvalAbove = type(uint128).max;
        t.stopLine = i % 2 == 0 ? 600e6 : 0;
        t.endsAt = uint64(block.timestamp + (4 + i) * 1 days);
        t.feeBps = i == 3 ? 5_000 : uint16(1_111 * i);
        t.mandateIdHash = keccak256(abi.encode("mandate", i));
        t.clausesHash = keccak256(abi.encode("clauses", i));
        t.calls.push(Call(address(venue), TestVenue.buy.selector));
        t.calls.push(Call(address(venue), TestVenue.sell.selector));
        t.calls.push(Call(address(venue), TestVenue.redeem.selector));
        t.calls.push(Call(address(hostile), HostileTarget.play.selector));
        if (_hasLeg(i)) {
            t.legGateway = address(gateway);
            t.legBudget = 400e6;
        }
        _mint(t.owner, 5_000e6);
        vm.prank(t.owner);
        vaults[i] = MandateVaultV2((_hasLeg(i) ? factoryV2 : factory).createVault(t));
        vm.prank(t.owner);
        usdc.approve(address(vaults[i]), type(uint256).max);
    }

    /// A cheatcode is an outside call: it is made only to report what differs.
    function _same(uint256 a, uint256 b, string memory why) internal pure {
        if (a != b) vm.assertEq(a, b, why);
    }

    function _same(address a, address b, string memory why) internal pure {
        if (a != b) vm.assertEq(a, b, why);
    }

    function _same(bool a, bool b, string memory why) internal pure {
        if (a != b) vm.assertTrue(false, why);
    }

    function _same(bytes32 a, bytes32 b, string memory why) internal pure {
        if (a != b) vm.assertEq(a, b, why);
    }

    function _atMost(uint256 a, uint256 b, string memory why) internal pure {
        if (a > b) vm.assertLe(a, b, why);
    }

    function _hasLeg(uint256 i) internal pure returns (bool) {
        return i >= 2;
    }

    function _mint(address to, uint256 amount) internal {
        vm.prank(ADMIN);
        usdc.mint(to, amount);
    }
}
