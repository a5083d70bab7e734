// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev A token that misbehaves as told.
contract Token {
    enum Mode {
        Normal,
        NoAnswer,
        AnswersFalse,
        TakesFee,
        TakesAll,
        PaysDouble
    }

    Mode public mode;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public blacklisted;

    function setMode(Mode mode_) external {
        mode = mode_;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function burn(address from, uint256 amount) external {
        balanceOf[from] -= amount;
    }

    function blacklist(address account, bool listed) external {
        blacklisted[account] = listed;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
        answer();
    }

    function transfer(address to, uint256 amount) external {
        move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
    }

    function move(address from, address to, uint256 amount) private {
        require(!blacklisted[from] && !blacklisted[to], "blacklisted");
        if (mode != Mode.AnswersFalse) {
            balanceOf[from] -= amount;
            uint256 arrives = amount;
            if (mode == Mode.TakesFee) arrives = amount - amount / 100;
            if (mode == Mode.TakesAll) arrives = 0;
            if (mode == Mode.PaysDouble) arrives = amount * 2;
            balanceOf[to] += arrives;
        }
        answer();
    }

    function answer() private view {
        if (mode == Mode.NoAnswer) return;
        bool ok = mode != Mode.AnswersFalse;
        assembly ("memory-safe") {
            mstore(0, ok)
            return(0, 0x20)
        }
    }
}
