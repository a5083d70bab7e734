// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// An agent's wallet that does whatever anybody asks of it: the agent is assumed to be hostile.
contract Wallet {
    function run(address to, bytes calldata data) external returns (bytes memory) {
        (bool ok, bytes memory answer) = to.call(data);
        if (!ok) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
        return answer;
    }
}
