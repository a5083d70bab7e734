// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title Play money with six decimals, for test chains
/// @notice The owner can mint; anybody gets 1,000 a day.
contract TestUSDC is ERC20Permit, Ownable {
    /// @notice The faucet of this account pays again at `until`.
    error FaucetWait(uint64 until);

    /// @notice What the faucet pays, in base units.
    uint256 public constant FAUCET = 1_000e6;
    /// @notice When the faucet last paid an account; zero for never.
    mapping(address => uint64) public lastFaucet;

    /// @param admin May mint.
    constructor(address admin) ERC20("Test USDC", "tUSDC") ERC20Permit("Test USDC") Ownable(admin) {}

    /// @notice Six, as the real token has.
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @notice Makes new money, by the owner.
    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    /// @notice Pays the caller 1,000, once in 24 hours.
    function faucet() external {
        uint64 last = lastFaucet[msg.sender];
        if (last != 0 && block.timestamp < last + 1 days) revert FaucetWait(last + 1 days);
        lastFaucet[msg.sender] = uint64(block.timestamp);
        _mint(msg.sender, FAUCET);
    }
}
