// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ILegGateway} from "./Interfaces.sol";
import {MandateVault} from "./MandateVault.sol";
import {PinnedTerms} from "./MandateTerms.sol";

/// @title A vault with a leg: part of its money can work at a venue off this chain
/// @notice The keeper moves money to the pinned gateway and the gateway brings it back; neither can send it anywhere
/// else. What the leg gained or lost shows in what came back. The owner's idle money never waits for the leg.
/// Besides, the owner's stop waits in the day after the end, so that the keeper can settle first.
contract MandateVaultV2 is MandateVault {
    /// @notice Only the pinned gateway may do this.
    error NotGateway(address caller);
    /// @notice Asked for the leg is `asked`, where its budget has room for `room`.
    error OverLegBudget(uint256 asked, uint256 room);
    /// @notice `out` is still at the leg; settling waits for it until `until`.
    error LegOpen(uint256 out, uint64 until);
    /// @notice No money is at the leg, so none can come back.
    error NoLeg();

    /// @notice Funding number `seq` moved `amount` to the gateway; `legOut` is out now.
    event LegFunded(uint64 indexed seq, uint256 amount, uint256 legOut);
    /// @notice `amount` came back, after funding number `seq`; `legOut` is still out. `last` ended the leg.
    event LegReturned(uint64 indexed seq, uint256 amount, uint256 legOut, bool last);

    /// @notice Time in seconds after the vault closed for which a settlement waits for the leg.
    uint64 public constant LEG_FALLBACK = 2 days;

    /// @notice Sent to the leg and not come back.
    uint128 public legOut;
    /// @notice Sent to the leg in total.
    uint128 public legFunded;
    /// @notice Come back from the leg in total.
    uint128 public legReturned;
    /// @notice Number of the last funding.
    uint64 public legSeq;
    /// @notice Whether the leg has begun and not ended.
    bool public legOpen;

    /// @notice Moves money to the gateway, by the keeper, while the vault works. Does not count against the day.
    /// @param amount Within the leg's budget and the vault's money.
    function fundLeg(uint256 amount) external nonReentrant {
        PinnedTerms memory t = _terms();
        if (msg.sender != _keeper(t)) revert NotKeeper(msg.sender);
        _requireOpen(t);
        _requireNotPaused(t);
        if (amount == 0) revert ZeroAmount();
        uint256 room = t.legBudget - legOut;
        if (amount > room) revert OverLegBudget(amount, room);
        _recogniseDirect(t);
        if (amount > accounted) revert InsufficientFunds(amount, accounted);

        bytes memory fund = abi.encodeCall(ILegGateway.fund, (amount));
        (uint128 sent, uint128 received) = _callWithAllowance(IERC20(t.usdc), t.legGateway, fund, amount);
        if (sent != amount || received != 0) revert SpendMismatch(sent, Math.saturatingSub(sent, received));
        accounted -= sent;
        legOut += sent;
        legFunded += sent;
        legOpen = true;
        legSeq += 1;
        emit LegFunded(legSeq, sent, legOut);
    }

    /// @notice Takes money back from the gateway, which must have allowed it. Possible in every phase.
    /// @param amount To pull; what arrives is credited. Zero only with `last`.
    /// @param last Ends the leg: what is still out is its loss.
    function onLegReturn(uint256 amount, bool last) external nonReentrant {
        PinnedTerms memory t = _terms();
        if (msg.sender != t.legGateway) revert NotGateway(msg.sender);
        if (!legOpen) revert NoLeg();
        if (amount == 0 && !last) revert ZeroAmount();
        uint128 arrived = _pull(IERC20(t.usdc), msg.sender, amount);
        accounted += arrived;
        legReturned += arrived;
        legOut = last ? 0 : uint128(Math.saturatingSub(legOut, amount));
        legOpen = !last;
        emit LegReturned(legSeq, arrived, legOut, last);
    }

    function _beforeStop(PinnedTerms memory t) internal view override {
        uint64 graceEnds = uint64(t.endsAt) + SETTLE_GRACE;
        if (!settled && block.timestamp >= t.endsAt && block.timestamp < graceEnds) revert SettleGrace(graceEnds);
    }

    function _beforeSettle(uint256 closedAt) internal view override {
        uint64 until = uint64(closedAt) + LEG_FALLBACK;
        if (legOpen && block.timestamp < until) revert LegOpen(legOut, until);
    }
}
