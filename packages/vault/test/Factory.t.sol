// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {MandateVault} from "../contracts/MandateVault.sol";
import {MandateVaultFactory} from "../contracts/MandateVaultFactory.sol";
import {MandateVaultFactoryV2} from "../contracts/MandateVaultFactoryV2.sol";
import {Call, PinnedTerms, Terms} from "../contracts/MandateTerms.sol";
import {Vm} from "./lib/T.sol";
import {VaultTest} from "./lib/VaultTest.sol";

contract FactoryTest is VaultTest {
    event VaultCreated(
        address indexed vault,
        address indexed owner,
        bytes32 indexed mandateIdHash,
        address agent,
        bytes32 termsHash,
        Terms terms
    );
    event KeeperSet(address indexed keeper, address indexed previous);

    /// @dev Terms that no vault was created for.
    function fresh() private view returns (Terms memory t) {
        t = terms();
        t.mandateIdHash = keccak256("mnd_2");
    }

    function freshV2() private view returns (Terms memory t) {
        t = termsV2();
        t.mandateIdHash = keccak256("mnd_2");
    }

    function refused(Terms memory t, uint8 field) private {
        vm.prank(t.owner);
        vm.expectRevert(abi.encodeWithSelector(MandateVaultFactory.BadTerms.selector, field));
        factory.createVault(t);
    }

    function refusedV2(Terms memory t, uint8 field) private {
        vm.prank(t.owner);
        vm.expectRevert(abi.encodeWithSelector(MandateVaultFactory.BadTerms.selector, field));
        factoryV2.createVault(t);
    }

    // ---- Creation

    function test_a_vault_stands_where_predicted_with_the_terms_in_its_code() public {
        Terms memory t = fresh();
        address predicted = factory.predictVault(t);
        bytes32 hash = factory.termsHash(t);
        vm.expectEmit(address(factory));
        emit VaultCreated(predicted, owner, t.mandateIdHash, agent, hash, t);
        MandateVault v = create(t);

        vm.assertEq(address(v), predicted);
        vm.assertTrue(factory.isVault(predicted));
        vm.assertEq(factory.vaultOf(owner, t.mandateIdHash), predicted);
        PinnedTerms memory p = v.terms();
        vm.assertEq(p.owner, t.owner);
        vm.assertEq(p.agent, t.agent);
        vm.assertEq(p.feeRecipient, t.feeRecipient);
        vm.assertEq(p.usdc, t.usdc);
        vm.assertEq(p.legGateway, address(0));
        vm.assertEq(p.factory, address(factory));
        vm.assertEq(p.budget, t.budget);
        vm.assertEq(p.perTxCap, t.perTxCap);
        vm.assertEq(p.dailyCap, t.dailyCap);
        vm.assertEq(p.approvalAbove, t.approvalAbove);
        vm.assertEq(p.stopLine, t.stopLine);
        vm.assertEq(p.legBudget, 0);
        vm.assertEq(p.endsAt, t.endsAt);
        vm.assertEq(p.feeBps, t.feeBps);
        vm.assertEq(p.mandateIdHash, t.mandateIdHash);
        vm.assertEq(p.termsHash, hash);
    }

    function test_a_new_vault_works_with_empty_books() public view {
        vm.assertEq(vault.phase(), 0);
        vm.assertEq(vault.agent(), agent);
        vm.assertEq(vault.principal(), 0);
        vm.assertEq(vault.accounted(), 0);
        vm.assertEq(vault.withdrawn(), 0);
        vm.assertEq(vault.feeTotal(), 0);
        vm.assertEq(vault.feeOwed(), 0);
        vm.assertEq(vault.lastWorth(), 0);
        vm.assertEq(vault.markedAt(), 0);
        vm.assertEq(vault.stopReason(), 0);
        vm.assertEq(vault.stoppedAt(), 0);
        vm.assertFalse(vault.settled());
    }

    function test_the_calls_are_listed_pair_by_pair() public view {
        bytes memory expected;
        Call[] memory listed = terms().calls;
        for (uint256 i = 0; i < listed.length; ++i) {
            expected = bytes.concat(expected, abi.encodePacked(listed[i].target, listed[i].selector));
            vm.assertTrue(vault.isAllowed(listed[i].target, listed[i].selector));
        }
        vm.assertEq(vault.calls(), expected);
        vm.assertFalse(vault.isAllowed(address(venue), target.run.selector), "selector of another target");
        vm.assertFalse(vault.isAllowed(address(target), venue.buy.selector), "target of another selector");
        vm.assertFalse(vault.isAllowed(address(usdc), usdc.transfer.selector), "token");
        vm.assertFalse(vault.isAllowed(address(0), bytes4(0)), "nothing");
    }

    function test_only_the_owner_of_the_terms_creates() public {
        Terms memory t = fresh();
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(MandateVaultFactory.NotOwnerOfTerms.selector, agent));
        factory.createVault(t);
    }

    function test_one_vault_for_a_mandate_whatever_the_terms() public {
        Terms memory t = terms();
        t.budget += 1;
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(MandateVaultFactory.AlreadyCreated.selector, address(vault)));
        factory.createVault(t);
    }

    function test_another_owner_may_use_the_same_mandate_id() public {
        Terms memory t = terms();
        t.owner = stranger;
        MandateVault v = create(t);
        vm.assertEq(factory.vaultOf(stranger, t.mandateIdHash), address(v));
        vm.assertEq(factory.vaultOf(owner, t.mandateIdHash), address(vault));
    }

    function test_the_address_depends_on_the_terms() public view {
        Terms memory t = fresh();
        address first = factory.predictVault(t);
        t.budget += 1;
        vm.assertTrue(first != factory.predictVault(t));
    }

    function test_version_and_gateway() public view {
        vm.assertEq(factory.version(), 1);
        vm.assertEq(factoryV2.version(), 2);
        vm.assertEq(factoryV2.legGateway(), address(gateway));
        vm.assertEq(factory.usdc(), address(usdc));
        vm.assertEq(factory.MAX_CALLS(), 32);
        vm.assertEq(factory.MAX_TERM(), 730 days);
        vm.assertEq(factory.MAX_FEE_BPS(), 5_000);
    }

    // ---- Terms that are refused, by the number of the clause

    function test_refuses_a_bad_agent() public {
        Terms memory t = fresh();
        t.agent = address(0);
        refused(t, 0);
        t.agent = owner;
        refused(t, 0);
        t.agent = keeper;
        refused(t, 0);
    }

    function test_refuses_a_contract_of_the_deployment_as_agent() public {
        Terms memory t = fresh();
        address[4] memory bad = [address(usdc), address(factory), factory.implementation(), address(vault)];
        for (uint256 i = 0; i < bad.length; ++i) {
            t.agent = bad[i];
            refused(t, 0);
        }
        t = freshV2();
        t.agent = address(gateway);
        refusedV2(t, 0);
        t.agent = address(0);
        refusedV2(t, 0);
    }

    function test_refuses_another_token() public {
        Terms memory t = fresh();
        t.usdc = address(target);
        refused(t, 0);
    }

    function test_refuses_a_budget_of_zero() public {
        Terms memory t = fresh();
        t.budget = 0;
        refused(t, 1);
    }

    function test_refuses_a_bad_per_transaction_cap() public {
        Terms memory t = fresh();
        t.perTxCap = 0;
        refused(t, 2);
        t.perTxCap = t.dailyCap + 1;
        refused(t, 2);
    }

    function test_refuses_a_daily_cap_above_the_budget() public {
        Terms memory t = fresh();
        t.dailyCap = t.budget + 1;
        refused(t, 3);
    }

    function test_caps_may_equal_the_budget() public {
        Terms memory t = fresh();
        t.perTxCap = t.dailyCap = t.budget;
        create(t);
    }

    function test_refuses_no_calls_and_too_many() public {
        Terms memory t = fresh();
        t.calls = new Call[](0);
        refused(t, 4);
        t.calls = new Call[](33);
        for (uint256 i = 0; i < 33; ++i) {
            t.calls[i] = Call(address(target), bytes4(uint32(i)));
        }
        refused(t, 4);
    }

    function test_takes_32_calls_and_finds_each() public {
        Terms memory t = fresh();
        t.calls = new Call[](32);
        for (uint256 i = 0; i < 32; ++i) {
            t.calls[i] = Call(address(target), bytes4(uint32(i)));
        }
        MandateVault v = create(t);
        for (uint256 i = 0; i < 32; ++i) {
            vm.assertTrue(v.isAllowed(address(target), bytes4(uint32(i))));
        }
        vm.assertFalse(v.isAllowed(address(target), bytes4(uint32(32))));
        vm.assertEq(v.calls().length, 32 * 24);
    }

    function refusedTarget(address bad) private {
        Terms memory t = fresh();
        t.calls[2] = Call(bad, bytes4(0x12345678));
        refused(t, 4);
    }

    function test_refuses_what_may_never_be_a_target() public {
        refusedTarget(address(usdc));
        refusedTarget(address(factory));
        refusedTarget(factory.implementation());
        refusedTarget(address(vault));
        refusedTarget(address(0xBEEF)); // no code
        refusedTarget(factory.predictVault(fresh())); // no code yet
        // The parties with code, as smart accounts have.
        vm.etch(owner, hex"00");
        refusedTarget(owner);
        vm.etch(agent, hex"00");
        refusedTarget(agent);
        vm.etch(keeper, hex"00");
        refusedTarget(keeper);
    }

    function test_refuses_the_gateway_as_a_target() public {
        Terms memory t = freshV2();
        t.calls[0] = Call(address(gateway), gateway.topUp.selector);
        refusedV2(t, 4);
    }

    function test_refuses_an_end_that_is_past_or_too_far() public {
        Terms memory t = fresh();
        t.endsAt = START;
        refused(t, 5);
        t.endsAt = START + 730 days + 1;
        refused(t, 5);
        t.endsAt = START + 730 days;
        create(t);
    }

    function test_the_shortest_term_is_a_second() public {
        Terms memory t = fresh();
        t.endsAt = START + 1;
        vm.assertEq(create(t).phase(), 0);
    }

    function test_refuses_a_stop_line_at_the_budget() public {
        Terms memory t = fresh();
        t.stopLine = t.budget;
        refused(t, 7);
        t.stopLine = t.budget - 1;
        create(t);
    }

    function test_refuses_a_fee_above_half() public {
        Terms memory t = fresh();
        t.feeBps = 5_001;
        refused(t, 8);
        t.feeBps = 5_000;
        create(t);
    }

    function test_refuses_a_bad_fee_recipient() public {
        Terms memory t = fresh();
        t.feeRecipient = address(0);
        refused(t, 8);
        t.feeRecipient = owner;
        refused(t, 8);
    }

    function test_the_agent_may_be_the_fee_recipient() public {
        Terms memory t = fresh();
        t.feeRecipient = agent;
        create(t);
    }

    function test_version_1_refuses_a_leg() public {
        Terms memory t = fresh();
        t.legGateway = address(gateway);
        refused(t, 0);
        t = fresh();
        t.legBudget = 1;
        refused(t, 1);
    }

    function test_version_2_needs_its_own_gateway_and_a_leg_budget() public {
        Terms memory t = freshV2();
        t.legGateway = address(target);
        refusedV2(t, 0);
        t.legGateway = address(0);
        refusedV2(t, 0);
        t = freshV2();
        t.legBudget = 0;
        refusedV2(t, 1);
        t.legBudget = t.budget + 1;
        refusedV2(t, 1);
        t.legBudget = t.budget;
        createV2(t);
    }

    function test_version_2_takes_terms_without_calls() public {
        Terms memory t = freshV2();
        t.calls = new Call[](0);
        vm.assertEq(createV2(t).calls().length, 0);
    }

    function testFuzz_terms_are_accepted_exactly_by_the_rules(
        uint128[5] memory amounts,
        uint64 endsAt,
        uint16 feeBps,
        uint8 callCount,
        uint8 parties
    ) public {
        Terms memory t = fresh();
        t.budget = amounts[0] % 8;
        t.perTxCap = amounts[1] % 8;
        t.dailyCap = amounts[2] % 8;
        t.stopLine = amounts[3] % 8;
        t.approvalAbove = amounts[4];
        t.endsAt = uint64(bound(endsAt, START - 2, START + 730 days + 2));
        t.feeBps = uint16(bound(feeBps, 4_990, 5_010));
        t.calls = new Call[](callCount % 35);
        for (uint256 i = 0; i < t.calls.length; ++i) {
            t.calls[i] = Call(address(target), bytes4(uint32(i)));
        }
        address[5] memory people = [agent, owner, keeper, address(0), stranger];
        t.agent = people[parties % 5];
        t.feeRecipient = people[(parties / 5) % 5];

        bool valid = t.perTxCap > 0 && t.perTxCap <= t.dailyCap && t.dailyCap <= t.budget && t.stopLine < t.budget;
        valid = valid && t.endsAt > START && t.endsAt <= START + 730 days && t.feeBps <= 5_000;
        valid = valid && t.calls.length > 0 && t.calls.length <= 32;
        valid = valid && t.agent != owner && t.agent != keeper && t.agent != address(0);
        valid = valid && t.feeRecipient != owner && t.feeRecipient != address(0);

        address predicted = factory.predictVault(t);
        vm.prank(owner);
        (bool ok, bytes memory result) = address(factory).call(abi.encodeCall(factory.createVault, (t)));
        vm.assertEq(ok ? 1 : 0, valid ? 1 : 0, "accepted");
        if (ok) {
            vm.assertEq(abi.decode(result, (address)), predicted);
            vm.assertEq(MandateVault(predicted).terms().budget, t.budget);
        } else {
            vm.assertEq(bytes32(bytes4(result)), bytes32(MandateVaultFactory.BadTerms.selector));
            vm.assertFalse(factory.isVault(predicted));
        }
    }

    // ---- Digest

    /// @dev Returns the digest by the letter of EIP-712, from the dynamic members themselves.
    function rawDigest(Terms memory t, string memory mandateId, string[] memory clauses, address verifier)
        private
        view
        returns (bytes32)
    {
        bytes memory callHashes;
        for (uint256 i = 0; i < t.calls.length; ++i) {
            bytes32 typeHash = keccak256("Call(address target,bytes4 selector)");
            callHashes =
                bytes.concat(callHashes, keccak256(abi.encode(typeHash, t.calls[i].target, t.calls[i].selector)));
        }
        bytes memory head = abi.encode(
            keccak256(
                "MandateTerms(string mandateId,address owner,address agent,address feeRecipient,address usdc,address legGateway,uint256 budget,uint256 perTxCap,uint256 dailyCap,uint256 approvalAbove,uint256 stopLine,uint256 legBudget,uint256 endsAt,uint256 feeBps,Call[] calls,Clause[] clauses)Call(address target,bytes4 selector)Clause(uint8 number,string text)"
            ),
            keccak256(bytes(mandateId)),
            t.owner,
            t.agent,
            t.feeRecipient,
            t.usdc,
            t.legGateway
        );
        bytes memory tail = abi.encode(
            t.budget,
            t.perTxCap,
            t.dailyCap,
            t.approvalAbove,
            t.stopLine,
            t.legBudget,
            t.endsAt,
            t.feeBps,
            keccak256(callHashes),
            clausesHash(clauses)
        );
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Mandate Terms"),
                keccak256("2"),
                block.chainid,
                verifier
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, keccak256(bytes.concat(head, tail))));
    }

    function clausesHash(string[] memory clauses) private pure returns (bytes32) {
        bytes memory hashes;
        for (uint256 i = 0; i < clauses.length; ++i) {
            bytes32 typeHash = keccak256("Clause(uint8 number,string text)");
            hashes = bytes.concat(hashes, keccak256(abi.encode(typeHash, i + 1, keccak256(bytes(clauses[i])))));
        }
        return keccak256(hashes);
    }

    /// forge-config: default.fuzz.runs = 64
    /// forge-config: long.fuzz.runs = 1000
    function testFuzz_the_terms_hash_is_the_eip_712_digest(
        Terms memory t,
        string memory mandateId,
        string[] memory clauses
    ) public view {
        t.mandateIdHash = keccak256(bytes(mandateId));
        t.clausesHash = clausesHash(clauses);
        vm.assertEq(factory.termsHash(t), rawDigest(t, mandateId, clauses, address(factory)));
        vm.assertEq(factoryV2.termsHash(t), rawDigest(t, mandateId, clauses, address(factoryV2)));
    }

    function test_the_domain_is_told() public view {
        (, string memory name, string memory version, uint256 chainId, address verifier,,) = factory.eip712Domain();
        vm.assertEq(name, "Mandate Terms");
        vm.assertEq(version, "2");
        vm.assertEq(chainId, block.chainid);
        vm.assertEq(verifier, address(factory));
    }

    // ---- Admin

    function test_the_admin_rotates_the_keeper_of_all_vaults_at_once() public {
        vm.expectEmit(address(factory));
        emit KeeperSet(stranger, keeper);
        vm.prank(admin);
        factory.setKeeper(stranger);
        vm.assertEq(factory.keeper(), stranger);
        deposit(vault, 500 * ONE);
        vm.prank(stranger);
        vault.markWorth(500 * ONE, START);
    }

    function test_nobody_else_names_the_keeper() public {
        vm.prank(keeper);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, keeper));
        factory.setKeeper(stranger);
    }

    function test_the_admin_hands_over_in_two_steps() public {
        vm.prank(admin);
        factory.transferOwnership(stranger);
        vm.assertEq(factory.owner(), admin);
        vm.assertEq(factory.pendingOwner(), stranger);
        vm.prank(stranger);
        factory.acceptOwnership();
        vm.assertEq(factory.owner(), stranger);
    }

    function test_a_factory_needs_contracts_and_an_admin() public {
        address implementation = factory.implementation();
        bytes memory bad = abi.encodeWithSelector(MandateVaultFactory.BadTerms.selector, 0);
        bytes memory v1 = type(MandateVaultFactory).creationCode;
        bytes memory v2 = type(MandateVaultFactoryV2).creationCode;
        assertNotCreated(v1, abi.encode(stranger, implementation, keeper, admin), bad);
        assertNotCreated(v1, abi.encode(usdc, stranger, keeper, admin), bad);
        assertNotCreated(v2, abi.encode(stranger, implementation, keeper, admin, gateway), bad);
        assertNotCreated(v2, abi.encode(usdc, stranger, keeper, admin, gateway), bad);
        assertNotCreated(v2, abi.encode(usdc, implementation, keeper, admin, stranger), bad);
        bytes memory noAdmin = abi.encodeWithSelector(Ownable.OwnableInvalidOwner.selector, address(0));
        assertNotCreated(v1, abi.encode(usdc, implementation, keeper, address(0)), noAdmin);
        assertNotCreated(v2, abi.encode(usdc, implementation, keeper, address(0), gateway), noAdmin);
    }

    function test_a_factory_announces_its_first_keeper() public {
        bytes memory arguments = abi.encode(usdc, factory.implementation(), keeper, admin);
        vm.recordLogs();
        (address created,) = tryCreate(type(MandateVaultFactory).creationCode, arguments);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 2);
        vm.assertEq(logs[1].emitter, created);
        vm.assertEq(logs[1].topics[0], KeeperSet.selector);
        vm.assertEq(address(uint160(uint256(logs[1].topics[1]))), keeper);
        vm.assertEq(address(uint160(uint256(logs[1].topics[2]))), address(0));
    }

    // ---- The code behind the vaults

    function test_the_implementation_is_inert() public {
        address[2] memory codes = [factory.implementation(), factoryV2.implementation()];
        bytes[] memory attempts = new bytes[](20);
        attempts[0] = abi.encodeCall(vault.deposit, (1));
        attempts[1] = abi.encodeCall(vault.execute, (address(target), abi.encodeCall(target.run, (0, 0)), 0));
        attempts[2] = abi.encodeCall(vault.unwind, (address(target), abi.encodeCall(target.run, (0, 0))));
        attempts[3] = abi.encodeCall(vault.stop, ());
        attempts[4] = abi.encodeCall(vault.revokeAgent, ());
        attempts[5] = abi.encodeCall(vault.setAgent, (agent));
        attempts[6] = abi.encodeCall(vault.withdrawAll, ());
        attempts[7] = abi.encodeCall(vault.markWorth, (0, START));
        attempts[8] = abi.encodeCall(vault.settle, ());
        attempts[9] = abi.encodeCall(vault.claimFee, ());
        attempts[10] = abi.encodeCall(vault.rescue, (address(target)));
        attempts[11] = abi.encodeCall(vaultV2.fundLeg, (1));
        attempts[12] = abi.encodeCall(vaultV2.onLegReturn, (0, true));
        attempts[13] = abi.encodeCall(vault.terms, ());
        attempts[14] = abi.encodeCall(vault.calls, ());
        attempts[15] = abi.encodeCall(vault.isAllowed, (address(target), target.run.selector));
        attempts[16] = abi.encodeCall(vault.agent, ());
        attempts[17] = abi.encodeCall(vault.phase, ());
        attempts[18] = abi.encodeCall(vault.usage, ());
        attempts[19] = abi.encodeCall(vault.withdrawLock, ());
        for (uint256 i = 0; i < codes.length; ++i) {
            give(codes[i], 5 * ONE);
            for (uint256 j = 0; j < attempts.length; ++j) {
                (bool ok,) = codes[i].call(attempts[j]);
                vm.assertFalse(ok, vm.toString(j));
            }
        }
    }

    function test_the_code_fits_on_a_chain() public view {
        vm.assertLe(factory.implementation().code.length, 24_576);
        vm.assertLe(factoryV2.implementation().code.length, 24_576);
        vm.assertLe(address(factoryV2).code.length, 24_576);
    }

    function test_a_vault_takes_no_ether() public {
        (bool ok,) = address(vault).call{value: 1}("");
        vm.assertFalse(ok);
        (ok,) = address(vault).call{value: 1}(abi.encodeCall(vault.claimFee, ()));
        vm.assertFalse(ok);
    }
}
