// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title A venue for test chains, which sells and buys at prices its owner sets
/// @notice A price is USDC base units for one whole unit, and a whole unit is 1e6 units. Positions are held here in the
/// caller's name, money moves only inside the caller's own call and only to or from the caller, every trade has a
/// limit, and `quoteSell` is what a sale would really pay. All rounding is in the venue's favour.
contract TestVenue is Ownable2Step {
    using SafeERC20 for IERC20;
    using EnumerableSet for EnumerableSet.Bytes32Set;

    /// @param price USDC base units for a whole unit; final once resolved.
    /// @param resolved Whether trading is over and positions can be redeemed.
    struct Market {
        uint128 price;
        bool resolved;
    }

    /// @notice No such market.
    error NoMarket(bytes32 market);
    /// @notice The market is resolved.
    error MarketClosed(bytes32 market);
    /// @notice The trade would yield `got`, less than the caller's `limit`; or a price of zero.
    error BadPrice(uint256 got, uint256 limit);
    /// @notice The caller holds no, or not enough, units that could be sold or redeemed here.
    error NoPosition();
    /// @notice The venue would have to pay `asked` and has `available`.
    error Illiquid(uint256 asked, uint256 available);

    /// @notice The account paid `usdcIn`, of it `fee`, for `units` at `price`.
    event Bought(
        address indexed account, bytes32 indexed market, uint256 usdcIn, uint256 units, uint256 fee, uint256 price
    );
    /// @notice The account was paid `usdcOut`, after `fee`, for `units` at `price`.
    event Sold(
        address indexed account, bytes32 indexed market, uint256 units, uint256 usdcOut, uint256 fee, uint256 price
    );
    /// @notice The account was paid the final price for all its units.
    event Redeemed(address indexed account, bytes32 indexed market, uint256 units, uint256 usdcOut);
    /// @notice The market's price between buying and selling.
    event PriceSet(bytes32 indexed market, uint256 price);
    /// @notice Trading is over and `price` is final.
    event Resolved(bytes32 indexed market, uint256 price);

    /// @notice Fee on the money of each trade, in hundredths of a percent.
    uint256 public constant FEE_BPS = 10;
    /// @notice Distance between the buying and the selling price, in hundredths of a percent.
    uint256 public constant SPREAD_BPS = 20;

    uint256 private constant BPS = 10_000;
    uint256 private constant UNIT = 1e6;

    /// @notice The money of the venue.
    IERC20 public immutable usdc;
    /// @notice Price and state of a market; a price of zero and not resolved means there is none.
    mapping(bytes32 => Market) public markets;
    /// @notice Units an account holds of a market.
    mapping(address => mapping(bytes32 => uint256)) public units;
    mapping(address account => EnumerableSet.Bytes32Set) private _held;

    /// @param usdc_ The money of the venue.
    /// @param admin Sets prices and resolves.
    constructor(IERC20 usdc_, address admin) Ownable(admin) {
        usdc = usdc_;
    }

    /// @notice Opens a market or moves its price.
    /// @param price USDC base units for a whole unit, above zero.
    function setPrice(bytes32 m, uint128 price) external onlyOwner {
        if (markets[m].resolved) revert MarketClosed(m);
        if (price == 0) revert BadPrice(0, 1);
        markets[m].price = price;
        emit PriceSet(m, price);
    }

    /// @notice Ends trading for good.
    /// @param price What a whole unit is worth for ever; may be zero.
    function resolve(bytes32 m, uint128 price) external onlyOwner {
        _openPrice(m);
        markets[m] = Market({price: price, resolved: true});
        emit Resolved(m, price);
    }

    /// @notice Buys for `usdcIn`, which the caller must have allowed.
    /// @param minUnits Fewest units to accept.
    /// @return bought Units.
    function buy(bytes32 m, uint256 usdcIn, uint256 minUnits) external returns (uint256 bought) {
        uint256 fee;
        uint256 ask;
        (bought, fee, ask) = _buying(m, usdcIn);
        if (bought == 0 || bought < minUnits) revert BadPrice(bought, minUnits);
        units[msg.sender][m] += bought;
        _held[msg.sender].add(m);
        emit Bought(msg.sender, m, usdcIn, bought, fee, ask);
        usdc.safeTransferFrom(msg.sender, address(this), usdcIn);
    }

    /// @notice Sells `n` units.
    /// @param minOut Least USDC to accept.
    /// @return usdcOut Paid to the caller.
    function sell(bytes32 m, uint256 n, uint256 minOut) external returns (uint256 usdcOut) {
        uint256 fee;
        uint256 bid;
        (usdcOut, fee, bid) = _selling(m, n);
        if (usdcOut < minOut) revert BadPrice(usdcOut, minOut);
        _take(m, n);
        emit Sold(msg.sender, m, n, usdcOut, fee, bid);
        _pay(usdcOut);
    }

    /// @notice Pays the final price for all the caller's units of a resolved market.
    /// @return usdcOut Paid to the caller.
    function redeem(bytes32 m) external returns (uint256 usdcOut) {
        uint256 n = units[msg.sender][m];
        if (!markets[m].resolved) revert NoPosition();
        usdcOut = Math.mulDiv(n, markets[m].price, UNIT);
        _take(m, n);
        emit Redeemed(msg.sender, m, n, usdcOut);
        _pay(usdcOut);
    }

    /// @notice What buying for `usdcIn` yields now.
    /// @return unitsOut Units.
    /// @return cost What the trade costs against the market's price, fee and spread, in USDC.
    function quoteBuy(bytes32 m, uint256 usdcIn) external view returns (uint256 unitsOut, uint256 cost) {
        (unitsOut,,) = _buying(m, usdcIn);
        cost = usdcIn - Math.mulDiv(unitsOut, markets[m].price, UNIT);
    }

    /// @notice What `n` units yield now: by selling, or by redeeming where the market is resolved.
    /// @return usdcOut What the venue would pay, given that it has it.
    /// @return cost What leaving costs against the market's price, fee and spread, in USDC.
    function quoteSell(bytes32 m, uint256 n) external view returns (uint256 usdcOut, uint256 cost) {
        uint256 value = Math.mulDiv(n, markets[m].price, UNIT);
        if (markets[m].resolved) return (value, 0);
        (usdcOut,,) = _selling(m, n);
        cost = value - usdcOut;
    }

    /// @notice The markets in which the account holds units.
    function held(address a) external view returns (bytes32[] memory) {
        return _held[a].values();
    }

    function _openPrice(bytes32 m) private view returns (uint256) {
        Market memory market = markets[m];
        if (market.resolved) revert MarketClosed(m);
        if (market.price == 0) revert NoMarket(m);
        return market.price;
    }

    function _buying(bytes32 m, uint256 usdcIn) private view returns (uint256 bought, uint256 fee, uint256 ask) {
        ask = Math.mulDiv(_openPrice(m), BPS + SPREAD_BPS / 2, BPS, Math.Rounding.Ceil);
        fee = Math.mulDiv(usdcIn, FEE_BPS, BPS, Math.Rounding.Ceil);
        bought = Math.mulDiv(usdcIn - fee, UNIT, ask);
    }

    function _selling(bytes32 m, uint256 n) private view returns (uint256 usdcOut, uint256 fee, uint256 bid) {
        bid = Math.mulDiv(_openPrice(m), BPS - SPREAD_BPS / 2, BPS);
        uint256 gross = Math.mulDiv(n, bid, UNIT);
        fee = Math.mulDiv(gross, FEE_BPS, BPS, Math.Rounding.Ceil);
        usdcOut = gross - fee;
    }

    function _take(bytes32 m, uint256 n) private {
        uint256 has = units[msg.sender][m];
        if (n == 0 || n > has) revert NoPosition();
        units[msg.sender][m] = has - n;
        if (n == has) _held[msg.sender].remove(m);
    }

    function _pay(uint256 amount) private {
        uint256 available = usdc.balanceOf(address(this));
        if (amount > available) revert Illiquid(amount, available);
        usdc.safeTransfer(msg.sender, amount);
    }
}
