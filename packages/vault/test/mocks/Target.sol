// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @dev A target that pulls and pays what it is told, and can be told to misbehave.
contract Target {
    using SafeERC20 for IERC20;

    IERC20 private immutable _usdc;

    constructor(IERC20 usdc) {
        _usdc = usdc;
    }

    function run(uint256 take, uint256 pay) external {
        if (take != 0) _usdc.safeTransferFrom(msg.sender, address(this), take);
        if (pay != 0) _usdc.safeTransfer(msg.sender, pay);
    }

    function unlisted(uint256 pay) external {
        _usdc.safeTransfer(msg.sender, pay);
    }
}
