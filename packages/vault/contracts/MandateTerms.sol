// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice One function of one contract that a vault may call.
struct Call {
    address target;
    bytes4 selector;
}

/// @notice Everything an owner agrees to when a vault is created. Amounts are base units of `usdc`.
/// @param owner Funds the vault and is the only address its money leaves to, fee and leg apart.
/// @param agent May execute within the limits. May be a contract.
/// @param feeRecipient Receives the fee, and nothing else.
/// @param usdc The token of the vault: the factory's.
/// @param legGateway Where leg money goes and comes from; zero without a leg.
/// @param budget Most that may ever be paid in.
/// @param perTxCap Most that one call may pull.
/// @param dailyCap Most that the calls of one UTC day may pull together.
/// @param approvalAbove Amount above which the service asks the owner first. Not enforced by the vault.
/// @param stopLine Worth at or below which a mark stops the vault; zero means never.
/// @param legBudget Most that may be out at the leg at one time; zero without a leg.
/// @param endsAt First second, in Unix time, at which the agent can no longer execute.
/// @param feeBps Share of the realised profit that is the fee, in hundredths of a percent.
/// @param mandateIdHash keccak256 of the mandate's public id.
/// @param clausesHash EIP-712 encoding of the clauses: keccak256 of their concatenated struct hashes.
/// @param calls The functions that the agent may call.
struct Terms {
    address owner;
    address agent;
    address feeRecipient;
    address usdc;
    address legGateway;
    uint128 budget;
    uint128 perTxCap;
    uint128 dailyCap;
    uint128 approvalAbove;
    uint128 stopLine;
    uint128 legBudget;
    uint64 endsAt;
    uint16 feeBps;
    bytes32 mandateIdHash;
    bytes32 clausesHash;
    Call[] calls;
}

/// @notice The terms as they stand in the code of a vault: sixteen words, followed there by the calls, 24 bytes each.
/// @param agent The agent at creation; the vault's `agent()` says who it is now.
/// @param factory Created the vault and names its keeper.
/// @param termsHash EIP-712 digest of the terms, which the owner signed.
struct PinnedTerms {
    address owner;
    address agent;
    address feeRecipient;
    address usdc;
    address legGateway;
    address factory;
    uint256 budget;
    uint256 perTxCap;
    uint256 dailyCap;
    uint256 approvalAbove;
    uint256 stopLine;
    uint256 legBudget;
    uint256 endsAt;
    uint256 feeBps;
    bytes32 mandateIdHash;
    bytes32 termsHash;
}
