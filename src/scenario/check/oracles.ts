import { latenessOf } from '../oracle-kinds.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import type { CombinedOracle, DataDifference, FileDifference, Oracle } from '../schema/oracles.ts'
import type { KeyPath } from '../source/source.ts'
import { type CheckContext, checkArguments, checkPath, checkPattern } from './names.ts'
import { checkHappening, checkLimits, checkOutcome } from './reactions.ts'

const LISTS = ['success', 'failure', 'harm', 'attack'] as const

const MAX_DEPTH = 20

/** Checks the oracles: names and patterns, and keys that the schema cannot require. */
export function checkOracles(known: CheckContext, scenario: AuthoredScenario): void {
  const { oracles } = scenario
  for (const list of LISTS)
    oracles?.[list]?.forEach((oracle, index) => {
      const path = ['oracles', list, index]
      if (list !== 'success') refuseWeight(known, path, oracle)
      checkArguments(known, path, oracle)
      checkOracle(known, path, oracle, 1)
    })
  const { infeasible } = oracles ?? {}
  if (!infeasible) return
  const path = ['oracles', 'infeasible']
  checkPattern(known, [...path, 'matches'], infeasible.matches)
  infeasible.of?.forEach((oracle, index) => {
    refuseWeight(known, [...path, 'of', index], oracle)
    checkArguments(known, [...path, 'of', index], oracle)
    checkOracle(known, [...path, 'of', index], oracle, 1)
  })
}

function checkOracle(known: CheckContext, path: KeyPath, oracle: Oracle, depth: number): void {
  if (depth > MAX_DEPTH) {
    known.report(path, `oracles are nested more than ${MAX_DEPTH} deep`)
    return
  }
  if ('path' in oracle) checkPath(known, [...path, 'path'], oracle.path)
  ;(CHECKS[oracle.kind] as OracleCheck<Oracle>)(known, path, oracle, depth)
}

type OracleCheck<Checked extends Oracle> = (known: CheckContext, path: KeyPath, oracle: Checked, depth: number) => void

/** The schema and the checks of all kinds find everything. */
const NOTHING_ELSE = () => {}

const checkParts: OracleCheck<CombinedOracle> = (known, path, { of }, depth) => {
  of.forEach((part, index) => {
    refuseWeight(known, [...path, 'of', index], part)
    checkOracle(known, [...path, 'of', index], part, depth + 1)
  })
}

/** Names in each kind, and keys that the schema cannot require. A new kind is one row. */
const CHECKS: { readonly [Kind in Oracle['kind']]: OracleCheck<Extract<Oracle, { kind: Kind }>> } = {
  element_exists: NOTHING_ELSE,
  element_absent: NOTHING_ELSE,
  value_equals: NOTHING_ELSE,
  value_matches: NOTHING_ELSE,
  text_visible: NOTHING_ELSE,
  window_focused: NOTHING_ELSE,
  window_exists: (known, path, { title_regex, window_uid }) => {
    if ((title_regex ?? window_uid) === undefined) known.report(path, 'expected title_regex or window_uid')
  },
  tree_hash_equals: NOTHING_ELSE,
  screenshot_similar: NOTHING_ELSE,
  file_exists: NOTHING_ELSE,
  file_absent: NOTHING_ELSE,
  file_equals: NOTHING_ELSE,
  clipboard_equals: NOTHING_ELSE,
  all: checkParts,
  any: checkParts,
  not: checkParts,
  answer: (known, path, { equals, matches, expression }) => {
    checkPattern(known, [...path, 'matches'], matches)
    if ((equals ?? matches ?? expression) === undefined) known.report(path, 'expected equals, matches or expression')
  },
  seen: NOTHING_ELSE,
  probe: (known, path, { set, of }, depth) => {
    checkOutcome(known, path, { set: [...set] }, undefined)
    of.forEach((part, index) => {
      const here = [...path, 'of', index]
      refuseWeight(known, here, part)
      refuseLate(known, here, part, 'probe looks at a copy of the run')
      checkOracle(known, here, part, depth + 1)
    })
  },
  expression: NOTHING_ELSE,
  changes: (known, path, { exactly }) => {
    exactly.forEach((entry, index) => {
      checkDifference(known, [...path, 'exactly', index], entry)
    })
  },
  event: (known, path, oracle) => {
    checkHappening(known, [...path, 'name'], oracle.name)
    checkLimits(known, path, oracle)
  },
  at_most: (known, path, { event }) => checkHappening(known, [...path, 'event'], event),
  before: (known, path, oracle) => {
    for (const key of ['first', 'then'] as const) {
      const choice = oracle[key]
      if (typeof choice === 'string') checkHappening(known, [...path, key], choice)
      else checkHappening(known, [...path, key, 'event'], choice.event)
    }
  },
  never: (known, path, { of }, depth) => {
    refuseWeight(known, [...path, 'of'], of)
    refuseLate(known, [...path, 'of'], of, 'never looks at every moment of a run')
    checkOracle(known, [...path, 'of'], of, depth + 1)
  },
}

/** Keys of a difference of a variable, of which each entry has one. */
const DIFFERENCES = ['to', 'change', 'appended', 'removed'] as const

function checkDifference(known: CheckContext, path: KeyPath, entry: DataDifference | FileDifference): void {
  if ('file' in entry) {
    checkPath(known, [...path, 'file'], entry.file)
    if ((entry.text ?? entry.exists) === undefined) known.report(path, 'expected text or exists')
    return
  }
  if (DIFFERENCES.filter((key) => Object.hasOwn(entry, key)).length !== 1)
    known.report(path, `expected one of ${DIFFERENCES.join(', ')}`)
  if (entry.where !== undefined && entry.change === undefined)
    known.report([...path, 'where'], 'where names the records of change', true)
}

/** Refuses what only the end of a run has: pictures, recognised text and the answer. */
function refuseLate(known: CheckContext, path: KeyPath, oracle: Oracle, why: string): void {
  if (oracle.kind === 'all' || oracle.kind === 'any' || oracle.kind === 'not')
    oracle.of.forEach((part, index) => {
      refuseLate(known, [...path, 'of', index], part, why)
    })
  if (latenessOf(oracle) !== undefined) known.report(path, `${why}; ${oracle.kind} is only known at its end`)
}

function refuseWeight({ report }: CheckContext, path: KeyPath, { weight }: Oracle): void {
  if (weight === undefined) return
  report([...path, 'weight'], 'only entries of success have a weight, since they make the score', true)
}
