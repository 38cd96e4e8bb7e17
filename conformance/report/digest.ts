import { createHash } from 'node:crypto'
import type { RequirementSet } from '../requirement.ts'
import type { CertificationResult } from '../run/outcome.ts'
import { markOf } from '../run/results.ts'

/** The version of this suite's rules and reports. Requirement sets have their own digests. */
export const SUITE_VERSION = '1.0'

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** Identifies a requirement set: a changed, added or removed row changes the digest. */
export const setDigest = (set: RequirementSet): string =>
  sha256(
    Object.entries(set.requirements)
      .map(([id, { level, text, source }]) => [id, level, text, source])
      .sort(([one], [other]) => (one! < other! ? -1 : 1)),
  )

/** Identifies the results of a run: the same server and suite have the same digest, independent of time and seed. */
export const resultDigest = (outcome: CertificationResult): string =>
  sha256([
    SUITE_VERSION,
    setDigest(outcome.set),
    outcome.tier,
    ...(outcome.interference ? ['interference'] : []),
    ...(outcome.losses.length > 0 ? ['deaths'] : []),
    outcome.results.map((result) => [result.id, markOf(result)]).sort(([one], [other]) => (one! < other! ? -1 : 1)),
  ])
