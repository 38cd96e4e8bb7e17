import {
  meanIntervalText,
  pointsText,
  probabilityText,
  shareWords,
  unitsText,
} from '../../viewer/model/report-words.ts'
import type { EvaluationComparison, Flip } from './compare.ts'
import type { ReplayProof } from './divergence.ts'

const counted = (episodes: number): string => `${episodes} ${episodes === 1 ? 'episode' : 'episodes'}`

const onlyText = ({ a, b }: EvaluationComparison['unpaired']): string =>
  a + b === 0 ? '' : `; left out: ${a} only in A, ${b} only in B`

/** A comparison for a terminal. */
export function comparisonText(comparison: EvaluationComparison): string {
  const { a, b, omitted, episodes, noResult, unpaired, versions, success, score, steps, flips } = comparison
  const lines = [
    `A: ${a}`,
    `B: ${b}`,
    ...(versions.a === versions.b ? [] : [`played by different versions of backlot: A ${versions.a}, B ${versions.b}`]),
    `${counted(episodes)} in both, ${unitsText(comparison)}${onlyText(unpaired)}`,
    ...(noResult.a + noResult.b === 0
      ? []
      : [`without a result, and left out: ${counted(noResult.a)} of A, ${counted(noResult.b)} of B`]),
    ...omitted.map(({ task, reason }) => `left out: ${task}, because ${reason}`),
    '',
    `success  A ${success.a.count} of ${success.a.of}, ${shareWords(success.a)}`,
    `         B ${success.b.count} of ${success.b.of}, ${shareWords(success.b)}`,
    `         ${pointsText(success.change.mean)} (${meanIntervalText(success.change, pointsText)}), sign-flip test ${probabilityText(success.test.p)}`,
    `score    A ${score.a.toFixed(3)}, B ${score.b.toFixed(3)} (${meanIntervalText(score.change, signed)}), sign-flip test ${probabilityText(score.test.p)}`,
    `steps    A ${steps.a.toFixed(1)}, B ${steps.b.toFixed(1)}`,
    '',
    ...flipLines(flips),
  ]
  return lines.join('\n')
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`

function flipLines(flips: readonly Flip[]): readonly string[] {
  if (flips.length === 0) return ['no flips: both solve the same episodes']
  const tasks = [...new Set(flips.map(({ task }) => task))]
  return [
    `${flips.length} ${flips.length === 1 ? 'flip' : 'flips'}`,
    ...tasks.flatMap((task) => {
      const own = flips.filter((flip) => flip.task === task)
      const [byA, byB] = (['a', 'b'] as const).map((side) => own.filter(({ solvedBy }) => solvedBy === side).length)
      return [`  ${task}: ${byA} solved by A only, ${byB} by B only`, ...own.flatMap(flipText)]
    }),
  ]
}

const MAX_SHOWN_CALL = 160
const shown = (call: string): string => (call.length > MAX_SHOWN_CALL ? `${call.slice(0, MAX_SHOWN_CALL)}…` : call)

function flipText({ episode, solvedBy, failure, divergence, replays }: Flip): readonly string[] {
  const head = `    ${episode}: solved by ${solvedBy.toUpperCase()}, the other ${failure ?? 'failed'}`
  if (divergence.first === 'unknown') return [`${head}; the traces cannot be compared: ${divergence.reason}`]
  if (divergence.first === 'none')
    return [`${head}; the calls and their answers are the same, so that only the end or the verdict differs`]
  const { first, call, a, b } = divergence
  return [
    `${head}; the ${first} differs first, at call ${call}`,
    `      A ${shown(a)}`,
    `      B ${shown(b)}`,
    `      replayed now: A ${proofText(replays.a)}, B ${proofText(replays.b)}`,
  ]
}

function proofText(proof: ReplayProof): string {
  if (proof.outcome === 'repeats') return `repeats in all ${proof.calls} calls`
  return proof.outcome === 'differs' ? `differs at call ${proof.call} (${proof.tool})` : `is not known: ${proof.reason}`
}
