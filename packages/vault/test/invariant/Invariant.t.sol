// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {T} from "../lib/T.sol";
import {Properties} from "./Properties.sol";

/// Random lives of four vaults, two v1 and two v2 at one gateway; every state keeps I1 to I15.
contract InvariantTest is T {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    Properties private world;

    function setUp() public {
        world = new Properties();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(world);
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[24] memory actions = [
            world.deposit.selector,
            world.donate.selector,
            world.buy.selector,
            world.sell.selector,
            world.attack.selector,
            world.executeUnlisted.selector,
            world.pause.selector,
            world.resume.selector,
            world.mark.selector,
            world.fundLeg.selector,
            world.giveBack.selector,
            world.stop.selector,
            world.unwindPosition.selector,
            world.unwindHostile.selector,
            world.withdraw.selector,
            world.settle.selector,
            world.claimFee.selector,
            world.reorderedExit.selector,
            world.warpHours.selector,
            world.warpToMidnight.selector,
            world.warpToEnd.selector,
            world.movePrice.selector,
            world.resolve.selector,
            world.stranger.selector
        ];
        targets = new FuzzSelector[](1);
        targets[0].addr = address(world);
        targets[0].selectors = new bytes4[](27);
        for (uint256 n = 0; n < 24; n++) {
            targets[0].selectors[n] = actions[n];
        }
        targets[0].selectors[24] = world.rescue.selector;
        targets[0].selectors[25] = world.rotateKeeper.selector;
        targets[0].selectors[26] = world.sweep.selector;
    }

    function invariant_every_state_keeps_I1_to_I15() public view {
        world.check();
    }

    function afterInvariant() public {
        world.leave();
    }
}
