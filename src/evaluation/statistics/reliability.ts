/** How often an agent solves a task in several runs. */

/**
 * pass@k: the probability that at least one of k runs succeeds, estimated without bias from more runs (Chen et al. 2021,
 * "Evaluating Large Language Models Trained on Code", section 2.1).
 * @param runs The runs of a task, at least k.
 * @param successes How many of them succeeded.
 */
export const passAtK = (runs: number, successes: number, k: number): number =>
  1 - chosenShare(runs - successes, runs, k)

/**
 * pass^k: the probability that all of k runs succeed (Yao et al. 2024, "τ-bench", section 3.4).
 * @param runs The runs of a task, at least k.
 * @param successes How many of them succeeded.
 */
export const passAllK = (runs: number, successes: number, k: number): number => chosenShare(successes, runs, k)

/** The share of the choices of k among `all` that lie completely within `part` of them. */
function chosenShare(part: number, all: number, k: number): number {
  if (k > all) throw new RangeError(`${k} of ${all} runs cannot be chosen`)
  let share = 1
  for (let drawn = 0; drawn < k; drawn++) share *= Math.max(0, part - drawn) / (all - drawn)
  return share
}
