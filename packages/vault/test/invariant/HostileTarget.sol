// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Wallet} from "./Wallet.sol";

/// How the target answers once it is done with the money.
enum Ending {
    Quiet,
    FalseAnswer,
    HugeAnswer,
    FakeRefusal,
    HugeRevert
}

/// What the target does inside one call of a vault.
struct Play {
    uint256 take;
    uint256 give;
    address leakTo;
    uint256 leak;
    Wallet wallet;
    address to;
    bytes inner;
    Ending ending;
}

/// A listed target that breaks every listing rule: it takes what it can, gives back what suits it, calls back into
/// the vault through the agent's wallet, and lies in its answer.
contract HostileTarget {
    IERC20 private immutable USDC;

    /// Number of calls back into the vault that succeeded.
    uint256 public reentered;

    error OverDailyCap(uint256 asked, uint256 left);

    constructor(IERC20 usdc) {
        USDC = usdc;
    }

    /// Pulls `take` from the vault, pays it `give`, sends `leak` elsewhere, then lets `wallet` call `to` with `inner`.
    function play(Play calldata p) external returns (bool) {
        if (p.take > 0) USDC.transferFrom(msg.sender, address(this), p.take);
        if (p.give > 0) USDC.transfer(msg.sender, p.give);
        if (p.leak > 0) USDC.transfer(p.leakTo, p.leak);
        if (address(p.wallet) != address(0)) {
            try p.wallet.run(p.to, p.inner) {
                reentered++;
            } catch {}
        }
        if (p.ending == Ending.FakeRefusal) revert OverDailyCap(1, 2);
        if (p.ending == Ending.HugeAnswer) {
            assembly {
                return(0, 100000)
            }
        }
        if (p.ending == Ending.HugeRevert) {
            assembly {
                revert(0, 100000)
            }
        }
        return p.ending != Ending.FalseAnswer;
    }
}
