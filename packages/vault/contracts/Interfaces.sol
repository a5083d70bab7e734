// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice What a vault asks its factory.
interface IKeeperOf {
    /// @return The keeper of all vaults of the factory; zero when there is none.
    function keeper() external view returns (address);
}

/// @notice What a gateway asks the factory it is bound to.
interface IVaultRegistry {
    /// @return Whether the factory created `vault`.
    function isVault(address vault) external view returns (bool);
}

/// @notice What a vault with a leg asks its gateway.
interface ILegGateway {
    /// @notice Pulls `amount` from the calling vault.
    function fund(uint256 amount) external;
}

/// @notice What a gateway asks a vault with a leg.
interface ILegVault {
    /// @notice Makes the vault pull `amount` from the calling gateway; `last` ends the leg.
    function onLegReturn(uint256 amount, bool last) external;
}
