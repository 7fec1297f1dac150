"""``fogtree chess evaluator``."""

from __future__ import annotations

from fogtree.games.fog_chess.network.stockfish import NET_SHA256


def test_export_of_the_network(done, net_file, tmp_path):
    target = tmp_path / "net.nnue"
    document = done(
        "chess", "evaluator", "export-stockfish-net", "--output", target, "--json"
    ).document
    assert document == {"path": str(target), "bytes": target.stat().st_size, "sha256": NET_SHA256}
    assert target.read_bytes() == net_file.read_bytes()


def test_networks_of_our_own(done, command, tmp_path):
    def failed(*arguments):
        outcome = command(*arguments)
        assert outcome.status == 2
        assert outcome.errors.count("\n") == 1
        return outcome.errors

    file = tmp_path / "some.fognet"
    made = done(
        "chess", "evaluator", "random", file, "--width", 128, "--king-buckets", 2, "--json"
    ).document
    assert made["bytes"] == file.stat().st_size
    seen = done("chess", "evaluator", "inspect", file, "--json").document
    assert seen == made
    assert (seen["width"], seen["king_buckets"], seen["stacks"]) == (128, 2, 8)
    assert seen["sha256"] in done("chess", "evaluator", "inspect", file).output
    checked = done("chess", "evaluator", "check", file, "--positions", 20, "--json").document
    assert checked["good"]
    assert checked["differences"] == 0
    told = done("chess", "evaluator", "check", file, "--positions", 5).output
    assert "0 differences; the largest first-layer sum is" in " ".join(told.split())
    assert "(limit 32,767)" in told
    values = done("chess", "evaluator", "values", f"net:{file}", "--json").document["values"]
    assert len(values) == 20
    assert list(values.values()) == sorted(values.values(), reverse=True)
    assert "e2e4" in done("chess", "evaluator", "values").output
    assert "1, 2, 4 or 8" in failed("chess", "evaluator", "random", file, "--king-buckets", 3)
    assert "width" in failed("chess", "evaluator", "random", tmp_path / "x", "--width", 130)
    assert "there already" in failed("chess", "evaluator", "random", file)
    assert done("chess", "evaluator", "inspect", file, "--json").document == made
    file.write_bytes(file.read_bytes()[:-1])
    for words in (("inspect", file), ("check", file), ("values", f"net:{file}")):
        assert "checksum" in failed("chess", "evaluator", *words)
    assert "net:FILE" in failed("chess", "evaluator", "values", "deep")
    assert "over" in failed("chess", "evaluator", "values", "--fen", "4k3/8/8/8/8/8/8/8 w - -")
