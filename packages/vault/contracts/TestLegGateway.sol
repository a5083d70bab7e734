// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ILegGateway, ILegVault, IVaultRegistry} from "./Interfaces.sol";

/// @title Holds the leg money of vaults on a test chain, while the house lends its mirror at the venue
/// @notice What a vault sent is its `outstanding` until it is given back. The rest of the balance is free: the house's
/// pool, which pays gains and takes what a leg lost. Free money alone can be swept, and no vault is paid out of
/// another's money. The operator says what came back, so it is trusted with each leg, up to the leg's budget.
contract TestLegGateway is ILegGateway, Ownable2Step {
    using SafeERC20 for IERC20;

    /// @notice Only the operator may do this.
    error NotOperator(address caller);
    /// @notice Not a vault of the bound factory.
    error NotVault(address caller);
    /// @notice To pay is `asked`, and `free` may be.
    error PoolLow(uint256 asked, uint256 free);

    /// @notice A vault sent `amount`; `outstanding` is its new total.
    event Funded(address indexed vault, uint256 amount, uint256 outstanding);
    /// @notice A vault was given `amount` back; `last` ended its leg. `ref` is used up.
    event GivenBack(address indexed vault, uint256 amount, bool last, bytes32 indexed ref);
    /// @notice The pool grew by `amount`.
    event ToppedUp(address indexed from, uint256 amount);
    /// @notice The pool shrank by `amount`.
    event Swept(address indexed to, uint256 amount);

    /// @notice The money of the vaults.
    IERC20 public immutable usdc;
    /// @notice Gives back and sweeps.
    address public immutable operator;
    /// @notice Its vaults may send money here; zero until it is bound.
    address public factory;
    /// @notice What a vault, by address, sent that was not given back.
    mapping(address => uint256) public outstanding;
    /// @notice What all vaults sent that was not given back.
    uint256 public totalOutstanding;
    /// @notice Whether a giving back was done under this reference.
    mapping(bytes32 => bool) public refUsed;

    /// @param usdc_ The money of the vaults.
    /// @param operator_ Gives back and sweeps.
    /// @param admin May bind the factory, once.
    constructor(IERC20 usdc_, address operator_, address admin) Ownable(admin) {
        usdc = usdc_;
        operator = operator_;
    }

    /// @notice Names the factory whose vaults are served, once and for all: a second factory could vouch for vaults
    /// that are none.
    /// @param f The factory.
    function bindFactory(address f) external onlyOwner {
        if (factory != address(0)) revert OwnableUnauthorizedAccount(msg.sender);
        factory = f;
    }

    /// @inheritdoc ILegGateway
    function fund(uint256 amount) external {
        _requireVault(msg.sender);
        outstanding[msg.sender] += amount;
        totalOutstanding += amount;
        emit Funded(msg.sender, amount, outstanding[msg.sender]);
        uint256 balanceBefore = usdc.balanceOf(address(this));
        usdc.safeTransferFrom(msg.sender, address(this), amount);
        // Otherwise this vault would be owed more than is here, and another vault's money would pay it.
        if (usdc.balanceOf(address(this)) - balanceBefore != amount) {
            revert SafeERC20.SafeERC20FailedOperation(address(usdc));
        }
    }

    /// @notice Adds the caller's money to the pool.
    function topUp(uint256 amount) external {
        emit ToppedUp(msg.sender, amount);
        usdc.safeTransferFrom(msg.sender, address(this), amount);
    }

    /// @notice Pays a vault out of what it sent and the pool, by the operator.
    /// @param vault Of the bound factory.
    /// @param amount May be more or less than what the vault sent.
    /// @param last Ends the leg: what is then still outstanding falls to the pool.
    /// @param ref Names this payment. A second call with it does nothing, so a retry is harmless.
    function giveBack(address vault, uint256 amount, bool last, bytes32 ref) external {
        _onlyOperator();
        _requireVault(vault);
        if (refUsed[ref]) return;
        refUsed[ref] = true;

        uint256 sent = outstanding[vault];
        uint256 available = _free() + sent;
        if (amount > available) revert PoolLow(amount, available);
        uint256 remaining = last ? 0 : Math.saturatingSub(sent, amount);
        outstanding[vault] = remaining;
        totalOutstanding -= sent - remaining;
        emit GivenBack(vault, amount, last, ref);

        usdc.forceApprove(vault, amount);
        ILegVault(vault).onLegReturn(amount, last);
        if (usdc.allowance(address(this), vault) != 0) usdc.forceApprove(vault, 0);
    }

    /// @notice Takes free money out of the pool, by the operator.
    function sweep(address to, uint256 amount) external {
        _onlyOperator();
        uint256 free = _free();
        if (amount > free) revert PoolLow(amount, free);
        emit Swept(to, amount);
        usdc.safeTransfer(to, amount);
    }

    function _free() private view returns (uint256) {
        return Math.saturatingSub(usdc.balanceOf(address(this)), totalOutstanding);
    }

    function _onlyOperator() private view {
        if (msg.sender != operator) revert NotOperator(msg.sender);
    }

    function _requireVault(address vault) private view {
        if (factory == address(0) || !IVaultRegistry(factory).isVault(vault)) revert NotVault(vault);
    }
}
