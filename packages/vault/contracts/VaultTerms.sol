// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Bytes} from "@openzeppelin/contracts/utils/Bytes.sol";
import {PinnedTerms} from "./MandateTerms.sol";

/// @title The terms of a vault, read from its own code
/// @notice A vault is a clone whose code ends with its terms, so that no transaction can change them and nothing is
/// initialised. The implementation of the clones has no terms: every function that needs them reverts there.
abstract contract VaultTerms {
    uint256 private constant TERMS_BYTES = 16 * 32;
    uint256 private constant CALL_BYTES = 20 + 4;

    address internal immutable _implementation = address(this);

    /// @notice The pinned terms.
    function terms() external view returns (PinnedTerms memory) {
        return _decode(_pinnedBytes());
    }

    /// @notice The pinned calls, 24 bytes each: target, then selector.
    function calls() external view returns (bytes memory) {
        return Bytes.slice(_pinnedBytes(), TERMS_BYTES);
    }

    /// @notice Whether the terms list `selector` of `target`.
    function isAllowed(address target, bytes4 selector) external view returns (bool) {
        return _lists(_pinnedBytes(), target, selector);
    }

    function _terms() internal view returns (PinnedTerms memory) {
        return _decode(_pinnedBytes());
    }

    function _pinnedBytes() internal view returns (bytes memory) {
        // Otherwise Clones would read the implementation's code as terms.
        if (address(this) == _implementation) revert();
        return Clones.fetchCloneArgs(address(this));
    }

    function _decode(bytes memory pinned) internal pure returns (PinnedTerms memory) {
        return abi.decode(pinned, (PinnedTerms));
    }

    function _lists(bytes memory pinned, address target, bytes4 selector) internal pure returns (bool) {
        return _hasCall(pinned, (uint256(uint160(target)) << 32) | uint32(selector), 8 * CALL_BYTES);
    }

    function _listsTarget(bytes memory pinned, address target) internal pure returns (bool) {
        return _hasCall(pinned, uint160(target), 160);
    }

    /// @dev Whether a pinned call begins with these bits. One masked comparison per call, because every execution pays for
    /// it. Each read takes 32 bytes, from which the shift removes the rest, so the last read may pass the end of `pinned`.
    function _hasCall(bytes memory pinned, uint256 wanted, uint256 bits) private pure returns (bool found) {
        uint256 termsBytes = TERMS_BYTES;
        uint256 callBytes = CALL_BYTES;
        assembly ("memory-safe") {
            let shift := sub(256, bits)
            let end := add(add(pinned, 0x20), mload(pinned))
            for { let at := add(add(pinned, 0x20), termsBytes) } lt(at, end) { at := add(at, callBytes) } {
                if eq(shr(shift, mload(at)), wanted) {
                    found := 1
                    break
                }
            }
        }
    }
}
