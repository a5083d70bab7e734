// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ILegGateway} from "../../contracts/Interfaces.sol";

/// @dev Pulls less than it was told, gives some back at once, or fails.
contract BadGateway is ILegGateway {
    IERC20 private immutable _usdc;
    uint256 private _short;
    uint256 private _back;
    bool private _fail;

    constructor(IERC20 usdc) {
        _usdc = usdc;
    }

    function set(uint256 short, uint256 back, bool fail) external {
        (_short, _back, _fail) = (short, back, fail);
    }

    function fund(uint256 amount) external {
        require(!_fail, "out of order");
        _usdc.transferFrom(msg.sender, address(this), amount - _short);
        if (_back != 0) _usdc.transfer(msg.sender, _back);
    }
}
