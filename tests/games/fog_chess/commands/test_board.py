"""``fogtree chess perft``, ``see`` and ``belief``."""

from __future__ import annotations

from fogtree.games.fog_chess.observation import FogObservation

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"


def test_perft(done):
    document = done("chess", "perft", "--depth", 4, "--json").document
    assert document["nodes"] == 197_742
    assert document["seconds"] >= 0
    assert (
        done("chess", "perft", "--fen", KIWIPETE, "--depth", 3, "--json").document["nodes"]
        == 98_903
    )
    assert "8,902 lines of 3 plies" in done("chess", "perft", "--depth", 3).output


def test_see(done):
    white = done("chess", "see", "--fen", KIWIPETE, "--as", "white", "--json").document
    view = FogObservation.from_fog_fen(white["fog_fen"])
    assert set(white["visible"]) == view.seen
    assert white["blocked"] == sorted(view.blocked)
    black = done(
        "chess", "see", "--fen", KIWIPETE, "--as", "black", "--rules", "attacks", "--json"
    ).document
    assert black["fog_fen"].endswith(" b")
    assert "1 R N B Q K B N R" in done("chess", "see", "--as", "white").output


def test_belief(done):
    moves = "e2e4,e7e5,g1f3,b8c6,f1c4"
    for side in ("white", "black"):
        document = done("chess", "belief", "--moves", moves, "--as", side, "--json").document
        assert [ply["move"] for ply in document["plies"]] == [None, *moves.split(",")]
        assert all(ply["truth_inside"] and ply["complete"] for ply in document["plies"])
        assert document["truth_always_inside"]
        assert document["plies"][1]["size"] == {"white": 1, "black": 20}[side]
        assert document["seconds"] >= 0
    capped = done(
        "chess", "belief", "--moves", moves, "--as", "black", "--cap", 5, "--json"
    ).document
    assert [ply["size"] for ply in capped["plies"]] == [1, 5, 0, 0, 0, 0]  # e4 is not in the sample
    assert not capped["plies"][-1]["complete"]
    assert not capped["truth_always_inside"]
    assert "inside" in done("chess", "belief", "--moves", moves, "--as", "black").output
