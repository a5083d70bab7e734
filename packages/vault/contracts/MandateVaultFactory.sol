// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {IKeeperOf, IVaultRegistry} from "./Interfaces.sol";
import {Call, PinnedTerms, Terms} from "./MandateTerms.sol";

/// @title Creates vaults, each with its terms in its own code
/// @notice The admin can name the keeper and do nothing else: no vault can be changed, paused or emptied from here.
contract MandateVaultFactory is IKeeperOf, IVaultRegistry, EIP712, Ownable2Step {
    /// @notice The terms break a rule. `field` is the number of the clause, 1 budget (of the leg too), 2 per
    /// transaction, 3 daily, 4 calls, 5 end, 7 stop line, 8 fee; 0 is one of the parties or the token.
    error BadTerms(uint8 field);
    /// @notice Only the owner of the terms may create their vault.
    error NotOwnerOfTerms(address caller);
    /// @notice This owner has a vault for this mandate already.
    error AlreadyCreated(address vault);

    /// @notice A vault was created with these terms. `termsHash` is their EIP-712 digest, which the owner signed.
    event VaultCreated(
        address indexed vault,
        address indexed owner,
        bytes32 indexed mandateIdHash,
        address agent,
        bytes32 termsHash,
        Terms terms
    );
    /// @notice All vaults of this factory have another keeper.
    event KeeperSet(address indexed keeper, address indexed previous);

    /// @notice EIP-712 type of the terms.
    bytes32 public constant TERMS_TYPEHASH = keccak256(
        "MandateTerms(string mandateId,address owner,address agent,address feeRecipient,address usdc,address legGateway,uint256 budget,uint256 perTxCap,uint256 dailyCap,uint256 approvalAbove,uint256 stopLine,uint256 legBudget,uint256 endsAt,uint256 feeBps,Call[] calls,Clause[] clauses)Call(address target,bytes4 selector)Clause(uint8 number,string text)"
    );
    /// @notice EIP-712 type of a call.
    bytes32 public constant CALL_TYPEHASH = keccak256("Call(address target,bytes4 selector)");
    /// @notice Most calls that terms may list.
    uint256 public constant MAX_CALLS = 32;
    /// @notice Longest time in seconds from creation to end.
    uint256 public constant MAX_TERM = 730 days;
    /// @notice Greatest fee, in hundredths of a percent of the profit.
    uint256 public constant MAX_FEE_BPS = 5_000;

    /// @notice The token of every vault of this factory.
    address public immutable usdc;
    /// @notice The code behind the vaults.
    address public immutable implementation;
    /// @notice Who may mark, fund legs and settle at once; zero for nobody. Vaults read it when they are called, so a
    /// lost key is replaced for all of them at once.
    address public keeper;
    /// @notice The vault of an owner for a mandate; zero when there is none.
    mapping(address owner => mapping(bytes32 mandateIdHash => address vault)) public vaultOf;
    /// @notice Whether this factory created the address.
    mapping(address vault => bool) public isVault;

    /// @param usdc_ The token of every vault.
    /// @param implementation_ The code behind the vaults.
    /// @param keeper_ The first keeper.
    /// @param admin May name another keeper, and hand that right on in two steps.
    constructor(address usdc_, address implementation_, address keeper_, address admin)
        EIP712("Mandate Terms", "2")
        Ownable(admin)
    {
        if (usdc_.code.length == 0 || implementation_.code.length == 0) revert BadTerms(0);
        usdc = usdc_;
        implementation = implementation_;
        _setKeeper(keeper_);
    }

    /// @notice 1: vaults without a leg; 2: vaults with one.
    function version() external pure virtual returns (uint8) {
        return 1;
    }

    /// @notice Names the keeper of all vaults, present and future; zero for none.
    /// @param k The new keeper.
    function setKeeper(address k) external onlyOwner {
        _setKeeper(k);
    }

    /// @notice Creates the vault of these terms. Only their owner may, once for each mandate.
    /// @param t The terms, exactly as signed.
    /// @return vault Its address is the one `predictVault` told.
    function createVault(Terms calldata t) external returns (address vault) {
        if (msg.sender != t.owner) revert NotOwnerOfTerms(msg.sender);
        address existing = vaultOf[t.owner][t.mandateIdHash];
        if (existing != address(0)) revert AlreadyCreated(existing);

        bytes32 hash = termsHash(t);
        bytes memory pinned = _pinnedBytes(t, hash);
        _validate(t, _predict(t, pinned));

        vault = Clones.cloneDeterministicWithImmutableArgs(implementation, pinned, _salt(t));
        vaultOf[t.owner][t.mandateIdHash] = vault;
        isVault[vault] = true;
        emit VaultCreated(vault, t.owner, t.mandateIdHash, t.agent, hash, t);
    }

    /// @notice Where `createVault` would put the vault of these terms, whether or not they are valid.
    function predictVault(Terms calldata t) external view returns (address) {
        return _predict(t, _pinnedBytes(t, termsHash(t)));
    }

    /// @notice EIP-712 digest of the terms, which the owner's wallet signs. The two members of variable length, the
    /// mandate's id and the clauses, are given by their hashes.
    function termsHash(Terms calldata t) public view returns (bytes32) {
        bytes32[] memory callHashes = new bytes32[](t.calls.length);
        for (uint256 i = 0; i < callHashes.length; ++i) {
            callHashes[i] = keccak256(abi.encode(CALL_TYPEHASH, t.calls[i].target, t.calls[i].selector));
        }
        // In two parts, since one list of seventeen is too long for the compiler's stack.
        bytes memory parties =
            abi.encode(TERMS_TYPEHASH, t.mandateIdHash, t.owner, t.agent, t.feeRecipient, t.usdc, t.legGateway);
        bytes memory limits = abi.encode(
            t.budget,
            t.perTxCap,
            t.dailyCap,
            t.approvalAbove,
            t.stopLine,
            t.legBudget,
            t.endsAt,
            t.feeBps,
            keccak256(abi.encodePacked(callHashes)),
            t.clausesHash
        );
        return _hashTypedDataV4(keccak256(bytes.concat(parties, limits)));
    }

    /// @dev The leg's part of the rules; a factory of vaults with a leg has others.
    function _validateLeg(Terms calldata t) internal view virtual {
        if (t.legGateway != address(0)) revert BadTerms(0);
        if (t.legBudget != 0) revert BadTerms(1);
        if (t.calls.length == 0) revert BadTerms(4);
    }

    function _setKeeper(address k) private {
        emit KeeperSet(k, keeper);
        keeper = k;
    }

    function _validate(Terms calldata t, address vault) private view {
        if (t.usdc != usdc || !_mayBeAgent(t)) revert BadTerms(0);
        if (t.budget == 0) revert BadTerms(1);
        if (t.perTxCap == 0 || t.perTxCap > t.dailyCap) revert BadTerms(2);
        if (t.dailyCap > t.budget) revert BadTerms(3);
        _validateLeg(t);
        if (t.calls.length > MAX_CALLS) revert BadTerms(4);
        for (uint256 i = 0; i < t.calls.length; ++i) {
            if (!_mayBeTarget(t, t.calls[i])) revert BadTerms(4);
        }
        if (t.endsAt <= block.timestamp || t.endsAt > block.timestamp + MAX_TERM) revert BadTerms(5);
        if (t.stopLine >= t.budget) revert BadTerms(7);
        if (t.feeBps > MAX_FEE_BPS) revert BadTerms(8);
        if (t.feeRecipient == address(0) || t.feeRecipient == t.owner || t.feeRecipient == vault) revert BadTerms(8);
    }

    /// @dev The agent is somebody apart: neither another party nor a contract of the deployment. A vault refuses the
    /// same when its owner names another agent, and a listed target too, which here is a fault of the call.
    function _mayBeAgent(Terms calldata t) private view returns (bool) {
        address agent = t.agent;
        if (agent == address(0) || agent == t.owner || agent == keeper || agent == t.legGateway) return false;
        return agent != usdc && agent != address(this) && agent != implementation && !isVault[agent];
    }

    /// @dev The vault speaks to its targets in its own name, so nothing that trusts the vault, or that the vault
    /// trusts, may be one. The vault that is being created has no code yet, which excludes it too.
    function _mayBeTarget(Terms calldata t, Call calldata c) private view returns (bool) {
        address target = c.target;
        if (target.code.length == 0 || isVault[target]) return false;
        if (target == usdc || target == address(this) || target == implementation || target == keeper) return false;
        return target != t.owner && target != t.agent && target != t.legGateway;
    }

    function _salt(Terms calldata t) private pure returns (bytes32) {
        return keccak256(abi.encode(t.owner, t.mandateIdHash));
    }

    function _predict(Terms calldata t, bytes memory pinned) private view returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(implementation, pinned, _salt(t));
    }

    function _pinnedBytes(Terms calldata t, bytes32 hash) private view returns (bytes memory pinned) {
        pinned = abi.encode(
            PinnedTerms({
                owner: t.owner,
                agent: t.agent,
                feeRecipient: t.feeRecipient,
                usdc: t.usdc,
                legGateway: t.legGateway,
                factory: address(this),
                budget: t.budget,
                perTxCap: t.perTxCap,
                dailyCap: t.dailyCap,
                approvalAbove: t.approvalAbove,
                stopLine: t.stopLine,
                legBudget: t.legBudget,
                endsAt: t.endsAt,
                feeBps: t.feeBps,
                mandateIdHash: t.mandateIdHash,
                termsHash: hash
            })
        );
        for (uint256 i = 0; i < t.calls.length; ++i) {
            pinned = abi.encodePacked(pinned, t.calls[i].target, t.calls[i].selector);
        }
    }
}
