// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// A venue that sells at par and buys back at whatever the best bidder offers, but never more than `slipBps` below par.
/// With 10,000 it has no price limit at all: who brings the only bid names the price.
contract BidVenue {
    IERC20 private immutable USDC;
    uint256 private immutable SLIP_BPS;

    address public bidder;
    uint256 public bid;
    mapping(address account => uint256) public units;

    error PriceLimit(uint256 offered, uint256 least);

    constructor(IERC20 usdc, uint256 slipBps) {
        (USDC, SLIP_BPS) = (usdc, slipBps);
    }

    function buy(uint256 amount) external {
        USDC.transferFrom(msg.sender, address(this), amount);
        units[msg.sender] += amount;
    }

    function placeBid(uint256 amount) external {
        USDC.transferFrom(msg.sender, address(this), amount);
        (bidder, bid) = (msg.sender, amount);
    }

    /// Hands all of the caller's units to the bidder for the bid.
    function sell() external {
        uint256 sold = units[msg.sender];
        uint256 least = sold * (10_000 - SLIP_BPS) / 10_000;
        if (bid < least) revert PriceLimit(bid, least);
        units[msg.sender] = 0;
        units[bidder] += sold;
        USDC.transfer(msg.sender, bid);
    }
}
