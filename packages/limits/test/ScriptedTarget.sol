// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// A target that makes the calls of its calldata, and reads many views in one call. For tests only.
contract ScriptedTarget {
    struct Step {
        address to;
        bytes data;
        bool mayFail;
    }

    /// Makes the calls in order, then reverts with `failure` unless it is empty.
    function run(Step[] calldata steps, bytes calldata failure) external {
        for (uint256 i; i < steps.length; ++i) {
            (bool ok, bytes memory answer) = steps[i].to.call(steps[i].data);
            if (!ok && !steps[i].mayFail) revertWith(answer);
        }
        if (failure.length > 0) revertWith(failure);
    }

    /// Returns the answers of the views, concatenated without lengths.
    function read(Step[] calldata views) external view returns (bytes memory answers) {
        for (uint256 i; i < views.length; ++i) {
            (bool ok, bytes memory answer) = views[i].to.staticcall(views[i].data);
            if (!ok) revertWith(answer);
            answers = bytes.concat(answers, answer);
        }
    }

    function revertWith(bytes memory data) private pure {
        assembly ("memory-safe") {
            revert(add(data, 32), mload(data))
        }
    }
}
