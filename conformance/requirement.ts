/** The protocols this suite certifies, by the names the command line uses. */
export const PROTOCOLS = ['observer', 'agent-webkit', 'cortask', 'navi', 'windieos'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** The protocols whose clients this suite certifies; `mcp` is the observer's second wire. */
export const CLIENT_PROTOCOLS = ['observer', 'mcp', 'agent-webkit', 'cortask', 'navi', 'windieos'] as const
export type ClientProtocol = (typeof CLIENT_PROTOCOLS)[number]

/** The set of what a client of a protocol is held to. */
export type ClientSetName = `${ClientProtocol}-client`

/** MUST fails a run, SHOULD warns, MAY is noted. */
export type Level = 'MUST' | 'SHOULD' | 'MAY'

/** How much of a document a server claims: what any client needs, what the official clients need, all of it. */
export const TIERS = ['core', 'sdk', 'full'] as const
export type Tier = (typeof TIERS)[number]

/** A sentence of the document, in our words; `source` says where it stands. */
export interface StatedBasis {
  readonly states: string
}

/** Why the suite asks for what the document does not state. */
export interface InferredBasis {
  readonly because: string
}

/**
 * One sentence a server is held to. It was read beside the document, and `basis` says what was found there. What the
 * document does not state is never a MUST.
 */
export type Requirement = RequirementText &
  (
    | { readonly level: 'MUST'; readonly basis: StatedBasis }
    | { readonly level: 'SHOULD' | 'MAY'; readonly basis: StatedBasis | InferredBasis }
  )

interface RequirementText {
  readonly text: string
  /** The document's section it is read from. */
  readonly source: string
  /** The items of the coverage list it speaks of. */
  readonly covers: readonly string[]
  /** The smallest tier that includes it; `core` when absent. */
  readonly tier?: Tier
  /** Why no check can prove it from outside. A requirement has either this or a check. */
  readonly unchecked?: string
}

export type Requirements = Readonly<Record<string, Requirement>>

/** All that is asked of a server or of a client of one protocol, as data. */
export interface RequirementSet {
  readonly protocol: Protocol | ClientSetName
  /** Title and version of the document the rows are read from. */
  readonly document: string
  /** What items are called whose ids begin so. */
  readonly groups: Readonly<Record<string, string>>
  /** Every endpoint, message, event, code, limit and rule of the document, by id; each has a requirement. */
  readonly items: Readonly<Record<string, string>>
  readonly requirements: Requirements
}

/** Whether a requirement belongs to what a server of `tier` claims. */
export const isInTier = (requirement: Requirement, tier: Tier): boolean =>
  TIERS.indexOf(requirement.tier ?? 'core') <= TIERS.indexOf(tier)

/** The group an item belongs to: the letters its id begins with. */
export const groupOf = (item: string): string => item.replace(/[\d.]+.*$/, '')

/** Items that no requirement speaks of, and item ids that are named but not listed. */
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
