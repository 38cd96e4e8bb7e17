import type { KeyPath } from '../load/source.ts'
import type { Oracle, WrittenOracles } from '../schema/oracles.ts'
import type { CheckContext } from './context.ts'
import { checkArguments, checkPath, checkPattern } from './names.ts'

const LISTS = ['success', 'failure', 'harm', 'attack'] as const

const MAX_DEPTH = 20

/** Checks the oracles: names and patterns, and keys that the schema cannot require. */
export function checkOracles(known: CheckContext, oracles: WrittenOracles | null | undefined): void {
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
  if (typeof infeasible.when !== 'boolean')
    known.report([...path, 'when'], 'expected true or false, or a template that gives one, such as "{{ stock == 0 }}"')
}

function checkOracle(known: CheckContext, path: KeyPath, oracle: Oracle, depth: number): void {
  if ('path' in oracle) checkPath(known, [...path, 'path'], oracle.path)
  switch (oracle.kind) {
    case 'window_exists':
      if ((oracle.title_regex ?? oracle.window_uid) === undefined)
        known.report(path, 'expected title_regex or window_uid')
      return
    case 'all':
    case 'any':
    case 'not':
      if (depth >= MAX_DEPTH) known.report(path, `oracles are nested more than ${MAX_DEPTH} deep`)
      else
        oracle.of.forEach((part, index) => {
          refuseWeight(known, [...path, 'of', index], part)
          checkOracle(known, [...path, 'of', index], part, depth + 1)
        })
      return
    case 'answer':
      checkPattern(known, [...path, 'matches'], oracle.matches)
      if ((oracle.equals ?? oracle.matches) === undefined) known.report(path, 'expected equals or matches')
      return
  }
}

function refuseWeight({ report }: CheckContext, path: KeyPath, { weight }: Oracle): void {
  if (weight === undefined) return
  report([...path, 'weight'], 'only entries of success have a weight, since they make the score', true)
}
