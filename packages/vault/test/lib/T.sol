// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The cheat codes of forge that the tests use.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function assume(bool) external pure;
    function prank(address) external;
    function startPrank(address) external;
    function stopPrank() external;
    function warp(uint256) external;
    function etch(address, bytes calldata) external;
    function addr(uint256) external pure returns (address);
    function sign(uint256, bytes32) external pure returns (uint8, bytes32, bytes32);
    function snapshotState() external returns (uint256);
    function revertToState(uint256) external returns (bool);
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function expectRevert() external;
    function expectRevert(bytes calldata) external;
    function expectPartialRevert(bytes4) external;
    function expectEmit() external;
    function expectEmit(address) external;
    function toString(uint256) external pure returns (string memory);
    function snapshotGasLastCall(string calldata, string calldata) external returns (uint256);

    function assertTrue(bool) external pure;
    function assertTrue(bool, string calldata) external pure;
    function assertFalse(bool) external pure;
    function assertFalse(bool, string calldata) external pure;
    function assertEq(uint256, uint256) external pure;
    function assertEq(uint256, uint256, string calldata) external pure;
    function assertEq(address, address) external pure;
    function assertEq(address, address, string calldata) external pure;
    function assertEq(bytes32, bytes32) external pure;
    function assertEq(bytes32, bytes32, string calldata) external pure;
    function assertEq(bytes calldata, bytes calldata) external pure;
    function assertEq(bytes calldata, bytes calldata, string calldata) external pure;
    function assertEq(string calldata, string calldata) external pure;
    function assertLe(uint256, uint256) external pure;
    function assertLe(uint256, uint256, string calldata) external pure;
    function assertGe(uint256, uint256) external pure;
    function assertGe(uint256, uint256, string calldata) external pure;
}

/// @dev What every test contract starts from: the cheat codes and a bound for fuzzed numbers.
abstract contract T {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev Returns a number in [low, high] that depends on `x` alone: `x` itself if it lies there.
    function bound(uint256 x, uint256 low, uint256 high) internal pure returns (uint256) {
        require(low <= high, "bound: low > high");
        if (x >= low && x <= high) return x;
        uint256 size = high - low;
        return size == type(uint256).max ? x : low + (x % (size + 1));
    }

    /// @dev Creates a contract, or returns why it could not. `new` cannot be used to expect a failure: a cheat code links
    /// it dynamically, and an `expectRevert` before that ends the test there as passed.
    function tryCreate(bytes memory code, bytes memory arguments) internal returns (address created, bytes memory why) {
        bytes memory all = bytes.concat(code, arguments);
        assembly ("memory-safe") {
            created := create(0, add(all, 0x20), mload(all))
        }
        if (created != address(0)) return (created, "");
        assembly ("memory-safe") {
            why := mload(0x40)
            mstore(0x40, add(why, and(add(returndatasize(), 0x3f), not(0x1f))))
            mstore(why, returndatasize())
            returndatacopy(add(why, 0x20), 0, returndatasize())
        }
    }

    function assertNotCreated(bytes memory code, bytes memory arguments, bytes memory reason) internal {
        (address created, bytes memory why) = tryCreate(code, arguments);
        vm.assertEq(created, address(0), "created");
        vm.assertEq(why, reason);
    }
}
