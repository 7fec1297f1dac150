"""Deep counterfactual regret minimization: networks, samples, training and measuring."""
