"""The whole way in Python: solve a game, look at the answer, measure it, keep it."""

from fogtree import Strategy, compile, equilibrium, exploitability, inspect, load_game, solve

tree = compile(load_game("kuhn_poker"))
run = solve(tree, "cfr+", until=1e-5)

print(f"{run.iterations:,} iterations, exploitability (NashConv / 2) {run.exploitability:.2e}")
print(f"value {run.value:.6f}, exactly {equilibrium(tree).value:.6f}")
print("with a jack, facing a bet after a check:", run.strategy["Jcb"])

for report in inspect(tree, run.strategy):
    print(report.name, report.actions, report.probabilities, "reached", report.reach)

run.strategy.save("kuhn.npz")
again = Strategy.load("kuhn.npz")
print("read back:", exploitability(tree, again))
