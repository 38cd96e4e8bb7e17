import type { CourseOracle, Oracle } from '../schema/oracles.ts'

/** The oracles that are followed along a run, with the parts of others. */
export const courseOraclesIn = (oracles: readonly Oracle[]): readonly CourseOracle[] =>
  oracles.flatMap((oracle): readonly CourseOracle[] => {
    switch (oracle.kind) {
      case 'all':
      case 'any':
      case 'not':
        return courseOraclesIn(oracle.of)
      case 'never':
        return [oracle, ...courseOraclesIn([oracle.of])]
      case 'before':
        return [oracle]
      case 'event':
      case 'at_most':
        // The log counts events by their name.
        return oracle.where === undefined ? [] : [oracle]
      default:
        return []
    }
  })
