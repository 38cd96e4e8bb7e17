/** MUST fails a run, SHOULD warns, MAY is noted. */
export type Level = 'MUST' | 'SHOULD' | 'MAY'

/** The part of a document that a server claims: for any client, for the official clients, or all of it. */
export const TIERS = ['core', 'sdk', 'full'] as const
export type Tier = (typeof TIERS)[number]

/** A statement of the document, paraphrased; `source` is its section. */
export interface StatedBasis {
  readonly states: string
}

/** The reason for a requirement that the document does not state. */
export interface InferredBasis {
  readonly because: string
}

/**
 * One requirement for a server. `basis` is the corresponding statement of the document, or the reason for requiring
 * more. Only statements of the document are a MUST.
 */
export type Requirement = RequirementText &
  (
    | { readonly level: 'MUST'; readonly basis: StatedBasis }
    | { readonly level: 'SHOULD' | 'MAY'; readonly basis: StatedBasis | InferredBasis }
  )

interface RequirementText {
  readonly text: string
  /** The section of the document. */
  readonly source: string
  /** The items of the coverage list that it covers. */
  readonly covers: readonly string[]
  /** The smallest tier that includes it; `core` when absent. */
  readonly tier?: Tier
  /** Why no check can prove it from outside. A requirement has either this reason or a check. */
  readonly unchecked?: string
}

export type Requirements = Readonly<Record<string, Requirement>>

/** All requirements for a server or a client of one protocol, as data. */
export interface RequirementSet {
  /** The name of the protocol; of its clients, with `-client`. */
  readonly protocol: string
  /** Title and version of the document the rows are read from. */
  readonly document: string
  /** The title of each group of items, by the prefix of their ids. */
  readonly groups: Readonly<Record<string, string>>
  /** Every endpoint, message, event, code, limit and rule of the document, by id; each has a requirement. */
  readonly items: Readonly<Record<string, string>>
  readonly requirements: Requirements
}

/** Whether `tier` includes a requirement. */
export const isInTier = (requirement: Requirement, tier: Tier): boolean =>
  TIERS.indexOf(requirement.tier ?? 'core') <= TIERS.indexOf(tier)

/** The group of an item: the letters at the start of its id. */
export const groupOf = (item: string): string => item.replace(/[\d.]+.*$/, '')

/** Items that no requirement covers, and covered item ids that are not listed. */
export function findGaps(set: RequirementSet): {
  readonly bare: readonly string[]
  readonly unknown: readonly string[]
} {
  const covered = new Set(Object.values(set.requirements).flatMap((requirement) => requirement.covers))
  return {
    bare: Object.keys(set.items).filter((item) => !covered.has(item)),
    unknown: [...covered].filter((item) => !(item in set.items)),
  }
}
