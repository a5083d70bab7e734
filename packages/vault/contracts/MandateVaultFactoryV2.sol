// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateVaultFactory} from "./MandateVaultFactory.sol";
import {Terms} from "./MandateTerms.sol";

/// @title Creates vaults with a leg
/// @notice Every vault is pinned to this factory's gateway. Terms may list no calls, for a vault that is all leg.
contract MandateVaultFactoryV2 is MandateVaultFactory {
    /// @notice The gateway of every vault of this factory.
    address public immutable legGateway;

    /// @param usdc_ The token of every vault.
    /// @param implementation_ The code behind the vaults.
    /// @param keeper_ The first keeper.
    /// @param admin May name another keeper, and hand that right on in two steps.
    /// @param legGateway_ The gateway of every vault.
    constructor(address usdc_, address implementation_, address keeper_, address admin, address legGateway_)
        MandateVaultFactory(usdc_, implementation_, keeper_, admin)
    {
        if (legGateway_.code.length == 0) revert BadTerms(0);
        legGateway = legGateway_;
    }

    /// @inheritdoc MandateVaultFactory
    function version() external pure override returns (uint8) {
        return 2;
    }

    function _validateLeg(Terms calldata t) internal view override {
        if (t.legGateway != legGateway) revert BadTerms(0);
        if (t.legBudget == 0 || t.legBudget > t.budget) revert BadTerms(1);
    }
}
