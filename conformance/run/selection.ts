import { isInTier, type Requirement } from '../requirement.ts'
import type { Check } from '../rules.ts'
import type { RunContext } from './options.ts'

/** The selected requirements of a run, and the checks to run. */
export interface CheckSelection {
  readonly asked: ReadonlyMap<string, Requirement>
  readonly hasShapes: boolean
  readonly queue: readonly Check[]
  /** `only` or `skip` restricts the run, so an unseen shape is not a failure. */
  readonly isRestricted: boolean
}

/**
 * Selects requirements by tier, `only` and `skip`. A shape selected by name runs the checks that cover the same
 * items.
 */
export function selectChecks({ suite, target, tier, options }: RunContext): CheckSelection {
  const { requirements, protocol } = suite.set
  const names = (starts: readonly string[] | undefined, id: string) => starts?.some((start) => id.startsWith(start))
  const isReachable = (id: string) => target.url !== undefined || suite.checks.get(id)?.pool === 'mcp'
  const isSkipped = (id: string) => names(options.skip, id) === true
  const isWanted = ([id, requirement]: [string, Requirement]) =>
    isReachable(id) && !isSkipped(id) && (names(options.only, id) ?? isInTier(requirement, tier))
  const asked = new Map(Object.entries(requirements).filter(isWanted))
  const isShape = (id: string) => id.startsWith(`${protocol}:shape:`)
  const shapeItems =
    options.only === undefined ? [] : [...asked].flatMap(([id, { covers }]) => (isShape(id) ? covers : []))
  const shows = ({ id, pool }: Check) =>
    pool !== 'dangerous' && requirements[id]!.covers.some((item) => shapeItems.includes(item))
  const isQuick = ({ timeoutMs }: Check) => options.quickMs === undefined || timeoutMs <= options.quickMs
  const queue = [...suite.checks.values()].filter(
    (check) => isQuick(check) && !isSkipped(check.id) && (asked.has(check.id) || shows(check)),
  )
  const hasShapes = [...asked.keys()].some(isShape)
  return { asked, hasShapes, queue, isRestricted: options.only !== undefined || options.skip !== undefined }
}
