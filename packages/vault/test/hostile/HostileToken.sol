// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Wallet} from "../invariant/Wallet.sol";

/// A token that follows the standard until it is told otherwise.
contract HostileToken is ERC20("Hostile", "HST") {
    /// Share of every transfer that its recipient does not get, in basis points.
    uint256 public feeBps;
    /// Amount that every transfer burns from its sender besides.
    uint256 public overcharge;
    bool public answersFalse;
    mapping(address account => bool) public blocked;

    Wallet private caller;
    address private callTo;
    bytes private callData;
    uint256 public callbacks;
    uint256 public callbacksThatWentThrough;

    error Blocked(address account);

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function setFee(uint256 bps) external {
        feeBps = bps;
    }

    function setOvercharge(uint256 amount) external {
        overcharge = amount;
    }

    function setAnswersFalse(bool on) external {
        answersFalse = on;
    }

    function setBlocked(address account, bool on) external {
        blocked[account] = on;
    }

    /// Every transfer lets `wallet` call `to` first.
    function setCallback(Wallet wallet, address to, bytes calldata data) external {
        (caller, callTo, callData) = (wallet, to, data);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return !answersFalse && super.transfer(to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        return !answersFalse && super.transferFrom(from, to, amount);
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (blocked[from] || blocked[to]) revert Blocked(blocked[from] ? from : to);
        if (from == address(0) || to == address(0)) return super._update(from, to, amount);
        if (address(caller) != address(0)) {
            callbacks++;
            try caller.run(callTo, callData) {
                callbacksThatWentThrough++;
            } catch {}
        }
        uint256 fee = amount * feeBps / 10_000;
        super._update(from, to, amount - fee);
        if (fee + overcharge > 0) super._update(from, address(0), fee + overcharge);
    }
}
