// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMandateVault} from "../../contracts/IMandateVault.sol";

/// @dev Fails in whatever way it is told.
contract FailingTarget {
    function fail(bytes calldata reason) external pure {
        bytes memory data = reason;
        assembly ("memory-safe") {
            revert(add(data, 0x20), mload(data))
        }
    }

    function failWith(uint256 size) external pure {
        assembly ("memory-safe") {
            revert(0x80, size)
        }
    }

    function answerWith(uint256 size) external pure {
        assembly ("memory-safe") {
            return(0x80, size)
        }
    }

    function burnGas() external pure {
        assembly ("memory-safe") {
            invalid()
        }
    }

    function forge(uint8 reason) external pure {
        revert IMandateVault.MandateStopped(reason);
    }
}

/// @dev Calls back into its caller, or into `at` if it is set.
contract ReentrantTarget {
    bytes public answer;
    bool public succeeded;

    function run(address at, bytes calldata data) external {
        (succeeded, answer) = at.call(data);
    }

    function runOrFail(address at, bytes calldata data) external {
        (bool ok, bytes memory result) = at.call(data);
        if (ok) return;
        assembly ("memory-safe") {
            revert(add(result, 0x20), mload(result))
        }
    }
}
